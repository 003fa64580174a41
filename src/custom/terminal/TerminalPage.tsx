import { Authenticated, useParams } from 'react-admin'
import { SiteNameContext } from '../../resources/engine/define/pageTitle.ts'
import { LanguageProvider } from '../components/LanguageProvider.tsx'
import { useSiteName } from '../hooks/useSetting.ts'
import { StatusBar } from '../layout/StatusBar.tsx'
import { Toasts } from '../layout/Toasts.tsx'
import { TerminalWorkspace } from './TerminalWorkspace.tsx'

/** Terminals on one server and, if wanted, on others: a tab of the browser for them alone. */
export default function TerminalPage() {
  const { id } = useParams()
  return (
    <Authenticated requireAuth>
      <LanguageProvider>
        <Named>
          {/* Another server in the address is another page: nothing of this one is to go on. */}
          <TerminalWorkspace key={id} serverId={serverIdOf(id)} />
        </Named>
      </LanguageProvider>
      <Toasts />
      <StatusBar />
    </Authenticated>
  )
}

function Named({ children }: { children: React.ReactNode }) {
  return <SiteNameContext value={useSiteName()}>{children}</SiteNameContext>
}

/** The id in the address; 0, which no server has, for anything that is none. */
const serverIdOf = (id = ''): number => (/^\d{1,15}$/.test(id) ? Number(id) : 0)
