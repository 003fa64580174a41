import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { Suspense, useState } from 'react'
import { useDataProvider, useTranslate } from 'react-admin'
import { Panel } from '../../components/Panel.tsx'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { useToast } from '../../engine/parts/ActionDialog.tsx'
import { lazyPart } from '../../engine/parts/lazyPart.tsx'
import type { Profile } from '../../schemas/account/profile.ts'
import { oauth2Intents } from '../../schemas/define/wireNames.ts'
import { endpoints } from '../../schemas/endpoints/index.ts'
import { PlainList } from './PlainList.tsx'
import { rememberBindings } from './pendingBinding.ts'

const BindDirectoryDialog = lazyPart(() => import('./BindDirectoryDialog.tsx'))

interface OAuth2BindingsProps {
  profile: Profile
  /** Names as configured, in upper and lower case, of those to which the browser is led. */
  providers: readonly string[]
  /** Loads the profile again. */
  onChange: () => Promise<unknown>
  /** Redirects the browser to a provider. */
  redirectTo?: (address: string) => void
}

const openAddress = (address: string) => window.location.assign(address)

/** The user's accounts at OAuth2 providers and in directories, to bind and to unbind. */
export function OAuth2Bindings({
  profile,
  providers: redirecting,
  onChange,
  redirectTo = openAddress,
}: OAuth2BindingsProps) {
  const translate = useTranslate()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const toast = useToast()
  const [busy, setBusy] = useState<string>()
  const [openDirectory, setOpenDirectory] = useState<string>()
  const directories = profile.directories ?? []
  const providers = [...redirecting, ...directories]
  const bound = profile.oauth2_bind ?? {}
  const configured = new Set(providers.map((name) => name.toLowerCase()))
  const removedProviders = Object.keys(bound).filter((name) => !configured.has(name))
  const usableProviders = Object.keys(bound).filter((name) => configured.has(name))
  // If sign-in by password is off, without the last account the user would be locked out.
  const isLastSignInMethod = (name: string) =>
    profile.reject_password === true && usableProviders.length === 1 && usableProviders[0] === name

  const withBusy = async (provider: string, work: () => Promise<unknown>) => {
    setBusy(provider)
    try {
      await work()
    } catch (error) {
      toast.showError(error)
    }
    setBusy(undefined)
  }
  async function bind(provider: string) {
    if (directories.includes(provider)) return setOpenDirectory(provider)
    await withBusy(provider, async () => {
      const { redirect } = await call(endpoints.startOauth2, { provider, type: oauth2Intents.bind })
      rememberBindings(bound)
      redirectTo(redirect)
    })
  }
  const unbind = (provider: string) =>
    withBusy(provider, async () => {
      await call(endpoints.unbindOauth2, { provider })
      await onChange()
      toast.show({ key: 'app.account.unbound', args: { provider } })
    })

  return (
    <Panel title={translate('app.account.bindings')} hint={translate('app.account.bindings_hint')}>
      {providers.length === 0 && removedProviders.length === 0 ? <p>{translate('app.account.no_providers')}</p> : null}
      <List>
        {providers.toSorted().map((provider) => {
          const account = bound[provider.toLowerCase()]
          const isLocked = account !== undefined && isLastSignInMethod(provider.toLowerCase())
          return (
            <li key={provider}>
              <div>
                <strong>{provider}</strong>
                <span>{account === undefined ? translate('app.account.not_bound') : account}</span>
              </div>
              <Button
                variant="outlined"
                color="inherit"
                disabled={isLocked}
                loading={busy === provider}
                aria-label={translate(account === undefined ? 'app.account.bind_named' : 'app.account.unbind_named', {
                  provider,
                })}
                onClick={() => void (account === undefined ? bind(provider) : unbind(provider))}
              >
                {translate(account === undefined ? 'app.account.bind' : 'app.account.unbind')}
              </Button>
              {isLocked ? <Alert severity="info">{translate('app.account.last_way')}</Alert> : null}
            </li>
          )
        })}
        {removedProviders.map((provider) => (
          <li key={provider}>
            <div>
              <strong>{provider}</strong>
              <span>{bound[provider]}</span>
            </div>
            <small>{translate('app.account.provider_gone')}</small>
          </li>
        ))}
      </List>
      {openDirectory === undefined ? null : (
        <Suspense>
          <BindDirectoryDialog
            provider={openDirectory}
            onBound={onChange}
            onClose={() => setOpenDirectory(undefined)}
          />
        </Suspense>
      )}
    </Panel>
  )
}

const List = styled(PlainList)(({ theme }) => ({
  '& li > div:first-of-type': { flex: 1, minWidth: 0 },
  '& strong': { display: 'block', fontWeight: 600 },
  '& li > div > span': { color: theme.vars.palette.text.secondary },
  '& .MuiAlert-root': { flexBasis: '100%' },
}))
