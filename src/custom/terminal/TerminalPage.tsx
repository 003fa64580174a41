import { useAuthenticated, useLocation, useTranslate } from 'react-admin'
import { ErrorPage } from '../../components/ErrorPage.tsx'
import { LanguageProvider } from '../../components/LanguageProvider.tsx'
import { Messages } from '../../components/messages/Messages.tsx'
import { useSiteName } from '../../components/useSetting.ts'
import { SiteNameContext } from '../../engine/define/pageTitle.ts'
import { addressedServer } from './session/startShell.ts'
import { TerminalWorkspace } from './TerminalWorkspace.tsx'

/** Terminals on one server and, if wanted, on others: a tab of the browser for them alone. */
export default function TerminalPage() {
  const serverId = addressedServer(useLocation().pathname)
  // Nothing waits for the answer: who is signed in was known before the console started.
  useAuthenticated({ initialData: true })
  return (
    <>
      <LanguageProvider>
        <Named>
          {serverId ? (
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
