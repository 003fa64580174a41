import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import Link from '@mui/material/Link'
import { Suspense, useId, useState } from 'react'
import { useDataProvider, useLocaleState, useTranslate } from 'react-admin'
import { formatDateTime } from '../../components/format/format.ts'
import { PlainTable } from '../../components/PlainTable.tsx'
import { useSetting } from '../../components/useSetting.ts'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { useNames } from '../../engine/kinds/reference/useNames.ts'
import { lazyPart } from '../../engine/parts/lazyPart.tsx'
import { useToast } from '../../engine/parts/useToast.ts'
import type { ApiToken } from '../../schemas/account/apiToken.ts'
import { nezhaEndpoints } from '../../schemas/endpoints/nezhaEndpoints.ts'
import { NezhaPanel } from './NezhaPanel.tsx'
import { useNezhaList } from './useNezhaList.ts'

const ApiTokenDialog = lazyPart(() => import('./ApiTokenDialog.tsx'))

/** The user's own API tokens: list, create, revoke. @param role decides which scopes are offered */
export function ApiTokens({ role }: { role: number }) {
  const translate = useTranslate()
  const [locale] = useLocaleState()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const toast = useToast()
  const list = useNezhaList(nezhaEndpoints.apiTokens)
  const tokens = list.data ?? []
  const nameOf = useNames(
    'server',
    tokens.flatMap(({ server_ids }) => server_ids ?? []),
  )
  const [isCreating, setCreating] = useState(false)
  // Nezha servers have no such page.
  const hasDocs = useSetting()?.wheelhouse !== undefined
  const [revoked, setRevoked] = useState<ApiToken>()
  const at = (moment: string | null | undefined, none: string) =>
    moment ? formatDateTime(Date.parse(moment), locale) : none

  const revoke = async ({ id, name }: ApiToken) => {
    try {
      await call(nezhaEndpoints.deleteApiToken, { id })
      toast.show({ key: 'app.tokens.revoked', args: { name } })
      setRevoked(undefined)
    } catch (error) {
      toast.showError(error)
    }
    await list.refetch()
  }

  return (
    <NezhaPanel
      title={translate('app.tokens.title')}
      hint={translate('app.tokens.hint')}
      list={list}
      action={
        <Button variant="outlined" onClick={() => setCreating(true)}>
          {translate('app.tokens.create')}
        </Button>
      }
    >
      {hasDocs ? (
        <p>
          <Link href="/api/docs" target="_blank">
            {translate('app.tokens.docs')}
          </Link>
        </p>
      ) : null}
      {tokens.length === 0 ? <p>{translate('app.tokens.none')}</p> : null}
      {tokens.length > 0 ? (
        <PlainTable
          headings={[
            ...['name', 'scopes', 'server_ids', 'expires_at', 'last_used_at'].map((field) =>
              translate(`app.tokens.fields.${field}`),
            ),
            '',
          ]}
          rows={tokens.map((token) => ({
            key: token.id,
            cells: [
              token.name,
              <code key="scopes">{(token.scopes ?? []).join(' ')}</code>,
              token.server_ids?.length ? token.server_ids.map(nameOf).join(', ') : translate('app.tokens.all'),
              at(token.expires_at, translate('app.tokens.never_expires')),
              `${at(token.last_used_at, translate('app.duration.never'))} ${token.last_used_ip ?? ''}`.trim(),
              <Button
                key="revoke"
                color="error"
                aria-label={translate('app.tokens.revoke_named', { name: token.name })}
                onClick={() => setRevoked(token)}
              >
                {translate('app.tokens.revoke')}
              </Button>,
            ],
          }))}
        />
      ) : null}
      {isCreating ? (
        <Suspense>
          <ApiTokenDialog role={role} onCreated={() => void list.refetch()} onClose={() => setCreating(false)} />
        </Suspense>
      ) : null}
      {revoked ? (
        <RevokeTokenDialog
          name={revoked.name}
          onConfirm={() => revoke(revoked)}
          onCancel={() => setRevoked(undefined)}
        />
      ) : null}
    </NezhaPanel>
  )
}

interface RevokeTokenDialogProps {
  name: string
  onConfirm: () => Promise<void>
  onCancel: () => void
}

/** Asks for confirmation before a token is revoked. */
function RevokeTokenDialog({ name, onConfirm, onCancel }: RevokeTokenDialogProps) {
  const translate = useTranslate()
  const titleId = useId()
  const [isBusy, setBusy] = useState(false)
  const confirm = async () => {
    setBusy(true)
    await onConfirm()
    setBusy(false)
  }
  return (
    <Dialog open role="alertdialog" aria-labelledby={titleId} maxWidth="xs" onClose={onCancel}>
      <DialogTitle id={titleId}>{translate('app.tokens.revoke_title', { name })}</DialogTitle>
      <DialogContent>
        {translate('app.confirm.irreversible')} {translate('app.tokens.revoke_note')}
      </DialogContent>
      <DialogActions>
        <Button onClick={onCancel} autoFocus>
          {translate('app.action.cancel')}
        </Button>
        <Button color="error" variant="contained" loading={isBusy} onClick={confirm}>
          {translate('app.tokens.revoke')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
