import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { useQuery } from '@tanstack/react-query'
import { Fragment, Suspense, useState } from 'react'
import { useDataProvider, useTranslate } from 'react-admin'
import { CopyButton } from '../../components/CopyButton.tsx'
import { numbers, Panel, PlainTable } from '../../components/Panel.tsx'
import { QuestionDialog } from '../../components/QuestionDialog.tsx'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { PendingData, useToast } from '../../engine/parts/ActionDialog.tsx'
import { lazyPart } from '../../engine/parts/lazyPart.tsx'
import type { SignInKind } from '../../schemas/account/signInProvider.ts'
import {
  type SignInProviderList,
  type StoredSignInProvider,
  signInProviderEndpoints,
} from '../../schemas/endpoints/signInProviderEndpoints.ts'
import { isKind, signInKinds, storedForm } from './providerKinds.ts'

const ProviderDialog = lazyPart(() => import('./ProviderDialog.tsx'))
const GroupRulesDialog = lazyPart(() => import('./GroupRulesDialog.tsx'))
const TestDialog = lazyPart(() => import('./TestDialog.tsx'))

/** What is open: a form, for a new provider by its kind alone, or something about a stored one. */
type Open =
  | { what: 'form'; kind: SignInKind; provider?: StoredSignInProvider }
  | { what: 'groups' | 'test' | 'delete'; provider: StoredSignInProvider }
  | { what: 'only' }

/** The providers by which people sign in, and whether they are the only way; for administrators. */
export default function SignInProviders() {
  const translate = useTranslate()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const toast = useToast()
  const [open, setOpen] = useState<Open>()
  const { data, error, refetch } = useQuery({
    queryKey: ['sign-in providers'],
    queryFn: () => call(signInProviderEndpoints.signInProviders),
  })
  const close = () => setOpen(undefined)

  /** Does something that was asked for, and shows what is true afterwards. */
  async function run(work: () => Promise<unknown>) {
    close()
    try {
      await work()
      toast.show({ key: 'app.site.saved' })
    } catch (failure) {
      toast.showError(failure)
    }
    await refetch()
  }

  return (
    <>
      <Panel title={translate('app.sign_in.title')} hint={translate('app.sign_in.hint')}>
        <PendingData data={data} error={error} onRetry={refetch} />
        {data ? <ProviderTable list={data} onOpen={setOpen} /> : null}
        <Actions>
          {signInKinds.map((kind) => (
            <Button key={kind} variant="outlined" onClick={() => setOpen({ what: 'form', kind })}>
              {translate('app.sign_in.add', { kind: translate(`app.sign_in.kinds.${kind}`) })}
            </Button>
          ))}
        </Actions>
        {data ? (
          <div>
            <p style={{ marginBottom: 4 }}>{translate('app.sign_in.callback')}</p>
            <Address>
              <code>
                {data.callback_url.split(/(?<=\/)/).map((part, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: parts of an address keep their order
                  <Fragment key={index}>
                    {part}
                    <wbr />
                  </Fragment>
                ))}
              </code>
              <CopyButton text={data.callback_url} />
            </Address>
          </div>
        ) : null}
      </Panel>
      {data ? (
        <Panel title={translate('app.sign_in.only')} hint={translate('app.sign_in.only_hint')}>
          {data.only_providers && data.readmitted.length > 0 ? (
            <p>{translate('app.sign_in.readmitted', { names: data.readmitted.join(', ') })}</p>
          ) : null}
          <Button
            variant="outlined"
            onClick={() =>
              data.only_providers
                ? void run(() => call(signInProviderEndpoints.setOnlyProviders, { only: false }))
                : setOpen({ what: 'only' })
            }
          >
            {translate(data.only_providers ? 'app.sign_in.let_passwords' : 'app.sign_in.refuse_passwords')}
          </Button>
        </Panel>
      ) : null}
      <Suspense>
        {open?.what === 'form' ? (
          <ProviderDialog kind={open.kind} provider={open.provider} onSaved={() => void refetch()} onClose={close} />
        ) : null}
        {open?.what === 'groups' ? <GroupRulesDialog id={open.provider.id} onClose={close} /> : null}
        {open?.what === 'test' ? (
          <TestDialog form={storedForm(open.provider)} id={open.provider.id} onClose={close} />
        ) : null}
      </Suspense>
      {open?.what === 'delete' ? (
        <QuestionDialog
          title={translate('app.sign_in.delete', { name: open.provider.name })}
          button={translate('ra.action.delete')}
          onConfirm={() => void run(() => call(signInProviderEndpoints.deleteSignInProvider, { id: open.provider.id }))}
          onCancel={close}
        >
          {translate('app.sign_in.delete_hint')}
        </QuestionDialog>
      ) : null}
      {open?.what === 'only' ? (
        <QuestionDialog
          title={translate('app.sign_in.refuse_question')}
          button={translate('app.sign_in.refuse_passwords')}
          onConfirm={() => void run(() => call(signInProviderEndpoints.setOnlyProviders, { only: true }))}
          onCancel={close}
        >
          {translate('app.sign_in.only_hint')}
        </QuestionDialog>
      ) : null}
    </>
  )
}

interface ProviderTableProps {
  list: SignInProviderList
  onOpen: (open: Open) => void
}

function ProviderTable({ list: { providers, in_file }, onOpen }: ProviderTableProps) {
  const translate = useTranslate()
  if (providers.length + in_file.length === 0) return <p>{translate('app.sign_in.none')}</p>
  const kindOf = (kind: string) => (isKind(kind) ? translate(`app.sign_in.kinds.${kind}`) : kind)
  const button = (provider: StoredSignInProvider, label: string, open: Open, color?: 'error') => (
    <Button
      key={label}
      size="small"
      color={color}
      aria-label={`${label}: ${provider.name}`}
      onClick={() => onOpen(open)}
    >
      {label}
    </Button>
  )
  return (
    <PlainTable
      headings={[
        translate('app.sign_in.fields.name'),
        translate('app.sign_in.kind'),
        numbers(translate('resources.user.name', { smart_count: 2 })),
        '',
      ]}
      rows={[
        ...providers.map((provider) => {
          const { id, name, kind, enabled, people } = provider
          return {
            key: id,
            cells: [
              enabled ? name : `${name} (${translate('resources.user.fields.disabled')})`,
              kindOf(kind),
              people,
              <div key="buttons">
                {isKind(kind) ? button(provider, translate('ra.action.edit'), { what: 'form', kind, provider }) : null}
                {button(provider, translate('app.sign_in.groups'), { what: 'groups', provider })}
                {button(provider, translate('app.sign_in.test'), { what: 'test', provider })}
                {button(provider, translate('ra.action.delete'), { what: 'delete', provider }, 'error')}
              </div>,
            ],
          }
        }),
        ...in_file.map(({ name, kind }) => ({
          key: name,
          cells: [name, kind === 'openid' ? kindOf('oidc') : 'OAuth2', '', translate('app.sign_in.in_file')],
        })),
      ]}
    />
  )
}

/** On a phone it breaks behind a slash, and its button stays beside it. */
const Address = styled('div')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  gap: theme.spacing(1),
  '& > code': { minWidth: 0, overflowWrap: 'anywhere' },
}))

const Actions = styled('div')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  gap: theme.spacing(1),
  margin: theme.spacing(2, 0),
}))
