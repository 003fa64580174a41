import { useAuthenticated, useLocation, useTranslate } from 'react-admin'
import { ErrorPage } from '../../components/ErrorPage.tsx'
import { LanguageProvider } from '../../components/LanguageProvider.tsx'
import { Messages } from '../../components/messages/Messages.tsx'
import { useSiteName } from '../../components/useSetting.ts'
import { SiteNameContext } from '../../engine/define/pageTitle.ts'
import { lazyPart } from '../../engine/parts/lazyPart.tsx'
import { addressedServer } from './session/startShell.ts'
import { TerminalWorkspace } from './TerminalWorkspace.tsx'

const SharedTerminal = lazyPart(() => import('./shared/SharedTerminal.tsx'))

/** Terminals on one server and, if wanted, on others: a tab of the browser for them alone. */
export default function TerminalPage() {
  const { pathname, search } = useLocation()
  const serverId = addressedServer(pathname)
  const share = new URLSearchParams(search).get('share')
  // Nothing waits for the answer: who is signed in was known before the console started.
  useAuthenticated({ initialData: true })
  return (
    <>
      <LanguageProvider>
        <Named>
          {serverId && share ? (
            <SharedTerminal serverId={serverId} code={share} />
          ) : serverId ? (
            // Another server in the address is another page: nothing of this one is to go on.
            <TerminalWorkspace key={serverId} serverId={serverId} />
          ) : (
            <NoServer />
          )}
        </Named>
      </LanguageProvider>
      <Messages />
    </>
  )
}

function Named({ children }: { children: React.ReactNode }) {
  return <SiteNameContext value={useSiteName()}>{children}</SiteNameContext>
}

function NoServer() {
  const translate = useTranslate()
  return <ErrorPage error={new Error(translate('app.terminal.ending.offline'))} />
}
