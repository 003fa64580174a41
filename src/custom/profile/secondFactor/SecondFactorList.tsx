import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useDataProvider, useLocaleState, useTranslate } from 'react-admin'
import type { TextArgs } from '../../../../i18n/fillText.ts'
import { formatDateTime } from '../../../components/format/format.ts'
import { canUsePasskeys } from '../../../components/proof/browserPasskeys.ts'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import { PendingData, useToast } from '../../../engine/parts/ActionDialog.tsx'
import { showOnce } from '../../../engine/parts/ShownOnce.tsx'
import {
  secondFactorEndpoints as calls,
  type OwnSecondFactor,
} from '../../../schemas/endpoints/secondFactorEndpoints.ts'
import {
  AuthenticatorAppDialog,
  ConfirmChangeDialog,
  PasskeyDialog,
  RecoveryCodesDialog,
} from './SecondFactorDialogs.tsx'

/** The dialog that is open above the list. */
type Open =
  | { dialog: 'app' | 'passkey' }
  | { dialog: 'confirm'; title: string; text: string; action: string; change: () => Promise<void> }

/**
 * Authenticator app, passkeys and recovery codes of the person who is signed in: to set up, to renew, to remove.
 * @param onAdded called when the server has a new factor
 * @param onSetUp called when a factor is set up and its recovery codes were seen
 */
export function SecondFactorList({ onAdded, onSetUp }: { onAdded?: () => void; onSetUp?: () => void }) {
  const translate = useTranslate()
  const [locale] = useLocaleState()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const toast = useToast()
  const [open, setOpen] = useState<Open>()
  const { data, error, refetch } = useQuery({
    queryKey: ['second factor', 'own'],
    queryFn: () => call(calls.ownSecondFactor),
  })

  /** Closes this dialog alone: by the time of a late answer another one may be open. */
  const close = () => setOpen((now) => (now === open ? undefined : now))
  /** @param codes recovery codes that came with it */
  const added = (codes: readonly string[] | undefined) => {
    void refetch()
    onAdded?.()
    close()
    if (!codes) return onSetUp?.()
    showOnce((closeCodes) => (
      <RecoveryCodesDialog
        codes={codes}
        onClose={() => {
          closeCodes()
          onSetUp?.()
        }}
      />
    ))
  }
  const renewCodes = () =>
    setOpen({
      dialog: 'confirm',
      title: translate('app.second_factor.renew_codes'),
      text: translate('app.second_factor.renew_codes_what'),
      action: translate('app.second_factor.renew_codes'),
      change: async () => added((await call(calls.renewRecoveryCodes)).recovery_codes),
    })
  const remove = (name: string, work: () => Promise<unknown>) =>
    setOpen({
      dialog: 'confirm',
      title: translate('app.second_factor.remove_named', { name }),
      text: translate('app.second_factor.remove_what'),
      action: translate('app.second_factor.remove'),
      change: async () => {
        await work()
        toast.show({ key: 'app.second_factor.removed', args: { name } })
        void refetch()
      },
    })
  const date = (text: string) => formatDateTime(Date.parse(text), locale)

  if (!data) return <PendingData data={data} error={error} onRetry={refetch} />
  const { totp, passkeys, recovery_codes: left } = data
  const appName = translate('app.second_factor.app')
  return (
    <>
      <List>
        <Entry
          name={appName}
          detail={
            totp
              ? translate('app.second_factor.since', { date: date(totp.created_at) })
              : translate('app.second_factor.app_hint')
          }
        >
          <Button variant="outlined" color="inherit" onClick={() => setOpen({ dialog: 'app' })}>
            {translate(totp ? 'app.second_factor.replace_app' : 'app.second_factor.set_up_app')}
          </Button>
          {totp ? <RemoveButton name={appName} onClick={() => remove(appName, () => call(calls.removeTotp))} /> : null}
        </Entry>
        {passkeys.map((passkey) => (
          <Entry key={passkey.id} name={passkey.name} detail={passkeyDetail(passkey, date, translate)}>
            <RemoveButton
              name={passkey.name}
              onClick={() => remove(passkey.name, () => call(calls.removePasskey, { id: passkey.id }))}
            />
          </Entry>
        ))}
        <Entry
          name={translate('app.second_factor.passkeys')}
          detail={translate(
            canUsePasskeys() ? 'app.second_factor.passkeys_hint' : 'app.second_factor.no_passkeys_here',
          )}
        >
          <Button
            variant="outlined"
            color="inherit"
            disabled={!canUsePasskeys()}
            onClick={() => setOpen({ dialog: 'passkey' })}
          >
            {translate('app.second_factor.add_passkey')}
          </Button>
        </Entry>
        {totp || passkeys.length > 0 ? (
          <Entry
            name={translate('app.second_factor.codes')}
            detail={translate('app.second_factor.codes_left', { smart_count: left })}
          >
            <Button variant="outlined" color="inherit" onClick={renewCodes}>
              {translate('app.second_factor.renew_codes')}
            </Button>
          </Entry>
        ) : null}
      </List>
      {open?.dialog === 'app' ? <AuthenticatorAppDialog onAdded={added} onClose={close} /> : null}
      {open?.dialog === 'passkey' ? <PasskeyDialog onAdded={added} onClose={close} /> : null}
      {open?.dialog === 'confirm' ? <ConfirmChangeDialog key={open.title} {...open} onClose={close} /> : null}
    </>
  )
}

function passkeyDetail(
  { created_at, last_used_at, host }: OwnSecondFactor['passkeys'][number],
  date: (text: string) => string,
  translate: (key: string, args?: TextArgs) => string,
): string {
  const parts = [
    host,
    translate('app.second_factor.since', { date: date(created_at) }),
    last_used_at && translate('app.second_factor.last_used', { date: date(last_used_at) }),
  ]
  return parts.filter(Boolean).join(' · ')
}

function RemoveButton({ name, onClick }: { name: string; onClick: () => void }) {
  const translate = useTranslate()
  return (
    <Button
      variant="outlined"
      color="inherit"
      aria-label={translate('app.second_factor.remove_named', { name })}
      onClick={onClick}
    >
      {translate('app.second_factor.remove')}
    </Button>
  )
}

interface EntryProps {
  name: string
  detail: string
  children: ReactNode
}

const Entry = ({ name, detail, children }: EntryProps) => (
  <li>
    <div>
      <strong>{name}</strong>
      <span>{detail}</span>
    </div>
    {children}
  </li>
)

const List = styled('ul')(({ theme }) => ({
  margin: 0,
  padding: 0,
  listStyle: 'none',
  '& > li': {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: theme.spacing(1),
    padding: theme.spacing(1, 0),
  },
  '& > li + li': { borderTop: `1px solid ${theme.vars.palette.divider}` },
  '& > li > div': { flex: 1, minWidth: 200, overflowWrap: 'anywhere' },
  '& strong': { display: 'block', fontWeight: 600 },
  '& li > div > span': { color: theme.vars.palette.text.secondary },
}))
