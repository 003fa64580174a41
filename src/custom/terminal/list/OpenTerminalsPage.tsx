import { Suspense } from 'react'
import { useBasename, useNavigate, useParams, useTranslate } from 'react-admin'
import { Loading, PageTitle, Panel } from '../../../components/Panel.tsx'
import { useSetting } from '../../../components/useSetting.ts'
import { usePageTitle } from '../../../engine/define/page.tsx'
import { lazyPart } from '../../../engine/parts/lazyPart.tsx'
import { saveTabTerminals, type TabTerminal, tabTerminals } from '../../../storage/tabTerminals.ts'
import { RecordingList } from '../recordings/RecordingList.tsx'
import { TerminalList } from './TerminalList.tsx'

const RecordingPage = lazyPart(() => import('../recordings/RecordingPage.tsx'))

/** The open and the recorded terminals, or one recording: one part for both, because every further page costs the first list. */
export default function OpenTerminalsPage() {
  const { recording } = useParams()
  if (recording === undefined) return <Terminals />
  return (
    <Suspense fallback={<Loading />}>
      <RecordingPage id={recording} />
    </Suspense>
  )
}

/** The open terminals: what is running where, and back to one of them; and those that were recorded. */
function Terminals() {
  const translate = useTranslate()
  const navigate = useNavigate()
  const basename = useBasename()
  const title = translate('app.shell.terminals')
  const isHolding = useSetting()?.wheelhouse?.terminal_hold !== undefined
  usePageTitle(title)
  const show = (terminal: TabTerminal) => {
    const { serverId, sessionId } = terminal
    const others = tabTerminals(serverId).filter((other) => other.sessionId !== sessionId)
    saveTabTerminals(serverId, [...others, terminal])
    navigate(`${basename}/terminal/${serverId}`)
  }
  return (
    <div>
      <PageTitle>{title}</PageTitle>
      {isHolding ? (
        <Panel title={translate('app.terminal.tabs')} hint={translate('app.terminal.held.hint')}>
          <TerminalList onShow={show} />
        </Panel>
      ) : null}
      <Panel title={translate('app.terminal.recordings.title')} hint={translate('app.terminal.recordings.hint')}>
        <RecordingList />
      </Panel>
    </div>
  )
}
