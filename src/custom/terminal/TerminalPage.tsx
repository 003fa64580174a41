import Drawer from '@mui/material/Drawer'
import { styled, useTheme } from '@mui/material/styles'
import useMediaQuery from '@mui/material/useMediaQuery'
import { type DragEvent, type KeyboardEvent, type PointerEvent, Suspense, useEffect, useState } from 'react'
import {
  useAuthenticated,
  useBasename,
  useBlocker,
  useEvent,
  useLocation,
  useNavigate,
  useStore,
  useTranslate,
} from 'react-admin'
import { ErrorPage } from '../../components/ErrorPage.tsx'
import { LanguageProvider } from '../../components/LanguageProvider.tsx'
import { Messages } from '../../components/messages/Messages.tsx'
import { QuestionDialog } from '../../components/QuestionDialog.tsx'
import { messagesHeight } from '../../components/theme/tokens.ts'
import { useSiteName } from '../../components/useSetting.ts'
import { escapeControlCharacters } from '../../domain/terminal/controlCharacters.ts'
import { SiteNameContext, usePageTitle } from '../../engine/define/page.tsx'
import { lazyPart } from '../../engine/parts/lazyPart.tsx'
import { whenIdle } from '../../events/whenIdle.ts'
import { prepareFileWorker } from '../files/transfer/fileSession.ts'
import { useOpenedFiles } from '../files/useFileSession.ts'
import { PasteDialog } from './panel/PasteDialog.tsx'
import { SearchBar } from './panel/SearchBar.tsx'
import { SendBar } from './panel/SendBar.tsx'
import { ServerPicker } from './panel/ServerPicker.tsx'
import { TerminalToolbar } from './panel/TerminalToolbar.tsx'
import { TouchKeys } from './panel/TouchKeys.tsx'
import { isLive, type Pane, paneName } from './panes/paneStore.ts'
import { filesId, useTerminalWorkspace } from './panes/useTerminalWorkspace.ts'
import { addressedServer } from './session/startShell.ts'
import { TerminalPane } from './TerminalPane.tsx'

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

/** The page: a bar, the terminals in tabs or side by side, and what can be opened around them. */
function TerminalWorkspace({ serverId }: { serverId: number }) {
  const translate = useTranslate()
  const workspace = useTerminalWorkspace(serverId)
  const { panes, store, active, opened, toggle } = workspace
  const [isSplit, setSplit] = useState(false)
  const isSideBySide = isSplit && panes.length > 1
  const height = useVisibleHeight()
  useFilePanelInAdvance()
  const navigate = useNavigate()
  const basename = useBasename()
  const title = translate('app.terminal.title', { id: active?.serverId ?? serverId })
  usePageTitle([active?.title, title, active?.serverName].filter(Boolean).join(' · '))

  const close = (key: number) => {
    store.remove(key)
    if (panes.length > 1) {
      // The button is gone. Another one in front takes the focus by itself.
      if (active?.key !== key) active?.screen.focus()
      return
    }
    // Browsers let a page close only a tab that was opened for it; elsewhere the way leads back to the list.
    window.close()
    if (!window.closed) navigate(basename)
  }
  const closeSend = () => {
    toggle('send', false)
    active?.screen.focus()
  }
  return (
    <Page
      className="terminal-page"
      style={{ height: `calc(${height} - ${messagesHeight.value})` }}
      onDragOver={refuseFiles}
      onDrop={refuseFiles}
    >
      <TerminalToolbar
        workspace={workspace}
        title={title}
        isSplit={isSplit}
        onSplit={() => setSplit(!isSplit)}
        onClose={close}
      />
      {opened.search && active ? (
        <SearchBar key={active.key} screen={active.screen} onClose={() => toggle('search', false)} />
      ) : null}
      <Middle>
        <Stage data-split={isSideBySide ? (panes.length > 4 ? 'many' : 'few') : undefined}>
          {panes.map((pane) => (
            <TerminalPane
              key={pane.key}
              pane={pane}
              isActive={pane.key === active?.key}
              isShown={isSideBySide || pane.key === active?.key}
              isSplit={isSideBySide}
              onActivate={() => store.activate(pane.key)}
              onPaste={(text) => workspace.paste(pane, text)}
              onReconnect={() => store.reconnect(pane.key)}
              onClose={() => close(pane.key)}
            />
          ))}
        </Stage>
        {opened.files && active ? (
          <SidePanel key={active.serverId} pane={active} onClose={() => toggle('files', false)} />
        ) : null}
      </Middle>
      {opened.send ? <SendBar panes={panes} store={store} onClose={closeSend} /> : null}
      {active ? <TouchKeys workspace={workspace} active={active} /> : null}
      {opened.picker ? (
        <ServerPicker
          onPick={({ id, name }) => {
            toggle('picker', false)
            store.add(id, name)
          }}
          onClose={() => toggle('picker', false)}
        />
      ) : null}
      {workspace.pasting ? (
        <PasteDialog
          text={workspace.pasting.text}
          serverName={paneName(workspace.pasting.pane)}
          onPaste={workspace.confirmPaste}
          onCancel={workspace.cancelPaste}
        />
      ) : null}
      {workspace.copying ? (
        <QuestionDialog
          title={translate('app.terminal.clipboard.title')}
          button={translate('app.action.copy')}
          onConfirm={() => workspace.answerCopying(true)}
          onCancel={() => workspace.answerCopying(false)}
        >
          <p style={{ marginTop: 0 }}>
            {translate('app.terminal.clipboard.note', { name: paneName(workspace.copying.pane) })}
          </p>
          <pre style={{ maxHeight: '30vh', overflow: 'auto', whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {escapeControlCharacters(workspace.copying.text)}
          </pre>
        </QuestionDialog>
      ) : null}
      {workspace.link ? (
        <QuestionDialog
          title={translate('app.terminal.link.title')}
          button={translate('app.terminal.link.open')}
          onConfirm={workspace.openLink}
          onCancel={workspace.dismissLink}
        >
          <code style={{ overflowWrap: 'anywhere' }}>{workspace.link}</code>
        </QuestionDialog>
      ) : null}
      <LeaveDialog panes={() => store.view().panes.filter(isLive)} />
    </Page>
  )
}

/** A file that misses the file panel would be opened by the browser, in the place of all these terminals. */
function refuseFiles(event: DragEvent) {
  if (event.defaultPrevented || !event.dataTransfer.types.includes('Files')) return
  event.preventDefault()
  event.dataTransfer.dropEffect = 'none'
}

const Page = styled('main')(({ theme }) => ({
  display: 'flex',
  flexDirection: 'column',
  minHeight: 0,
  overflow: 'hidden',
  background: theme.vars.palette.background.paper,
}))

const Middle = styled('div')({ position: 'relative', display: 'flex', flex: 1, minHeight: 0 })

/** Side by side: two in a row, three in a row from five terminals on; the last one takes the rest of its row. */
const Stage = styled('div')(({ theme }) => ({
  position: 'relative',
  flex: 1,
  minWidth: 0,
  minHeight: 0,
  '&[data-split]': {
    display: 'grid',
    gap: 1,
    gridAutoRows: 'minmax(160px, 1fr)',
    overflowY: 'auto',
    background: theme.vars.palette.divider,
    [theme.breakpoints.up('md')]: {
      gridTemplateColumns: 'repeat(2, minmax(0, 1fr))',
      '& > :last-child:nth-of-type(odd)': { gridColumn: 'span 2' },
    },
  },
  '&[data-split=many]': {
    [theme.breakpoints.up('lg')]: {
      gridTemplateColumns: 'repeat(3, minmax(0, 1fr))',
      '& > :last-child': { gridColumn: 'auto' },
      '& > :last-child:nth-of-type(3n + 1)': { gridColumn: 'span 3' },
      '& > :last-child:nth-of-type(3n + 2)': { gridColumn: 'span 2' },
    },
  },
}))

/** The height that is left above a phone's keyboard, as a style: the last line must not be behind it. */
function useVisibleHeight(): string {
  const [height, setHeight] = useState('100dvh')
  useEffect(() => {
    const viewport = window.visualViewport
    if (!viewport) return
    const update = () => {
      // Zooming in makes the viewport smaller as well, and is no reason to draw anything anew.
      if (viewport.scale > 1.01) return
      setHeight(window.innerHeight - viewport.height > 1 ? `${viewport.height}px` : '100dvh')
    }
    viewport.addEventListener('resize', update)
    return () => viewport.removeEventListener('resize', update)
  }, [])
  return height
}

/**
 * Asks before the page is left while shells are running: they end with it. Those that the server holds go on when the
 * page is closed or loaded again, and nothing is asked then.
 */
function LeaveDialog({ panes }: { panes: () => readonly Pane[] }) {
  const translate = useTranslate()
  const panesNow = useEvent(panes)
  const countNow = useEvent(() => panesNow().length)
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => currentLocation.pathname !== nextLocation.pathname && countNow() > 0,
  )
  useEffect(() => {
    const onUnload = (event: BeforeUnloadEvent) => {
      if (panesNow().some(({ isHeld }) => !isHeld)) event.preventDefault()
    }
    window.addEventListener('beforeunload', onUnload)
    return () => window.removeEventListener('beforeunload', onUnload)
  }, [panesNow])
  if (blocker.state !== 'blocked') return null
  return (
    <QuestionDialog
      title={translate('app.terminal.leave.title', { smart_count: countNow() })}
      button={translate('app.terminal.leave.button')}
      no={translate('app.terminal.leave.stay')}
      onConfirm={blocker.proceed}
      onCancel={blocker.reset}
    >
      {translate('app.terminal.leave.text')}
    </QuestionDialog>
  )
}

const FilePanel = lazyPart(() => import('../files/FilePanel.tsx'))

/** Fetches the file manager and starts its worker while the page has nothing to do, so that it opens at once later. */
function useFilePanelInAdvance(): void {
  useEffect(() => {
    let isLeft = false
    let endWorker = () => {}
    const prepare = async () => {
      await FilePanel.prepare()
      if (!isLeft) endWorker = prepareFileWorker()
    }
    const cancel = whenIdle(() => void prepare())
    return () => {
      isLeft = true
      cancel()
      endWorker()
    }
  }, [])
}

const widths = { initial: 380, min: 280, max: 900, step: 20 }
const clampWidth = (width: number) => Math.round(Math.min(widths.max, Math.max(widths.min, width)))

/** The file manager beside a terminal; in narrow windows a drawer. */
function SidePanel({ pane: { serverId, ...pane }, onClose }: { pane: Pane; onClose: () => void }) {
  const translate = useTranslate()
  const theme = useTheme()
  const isNarrowNow = useMediaQuery(theme.breakpoints.down('md'), { noSsr: true })
  const [isNarrow, setNarrow] = useState(isNarrowNow)
  const [isKept, setKept] = useState(false)
  // The panel is another one at another place, without what is typed in its dialogs: it changes when they are closed.
  if (isNarrow !== isNarrowNow && !isKept) setNarrow(isNarrowNow)
  const [width, setWidth] = useStore('terminal.panelWidth', widths.initial)
  const opened = useOpenedFiles(serverId, pane.folder)
  const name = paneName({ serverId, ...pane, sessionNumber: 1 })
  const close = () => {
    onClose()
    // A drawer gives the focus back by itself.
    if (!isNarrow) pane.screen.focus()
  }
  const files = (
    <Suspense>
      <FilePanel {...opened} serverName={name} onClose={close} onKeep={setKept} />
    </Suspense>
  )
  if (isNarrow) {
    return (
      <Drawer
        open
        anchor="right"
        onClose={onClose}
        slotProps={{ paper: { sx: { width: 'min(100%, 420px)' }, 'aria-label': translate('app.terminal.files') } }}
      >
        {files}
      </Drawer>
    )
  }
  const onDrag = (event: PointerEvent<HTMLElement>) => {
    if (event.buttons === 0) return
    const side = event.currentTarget.parentElement as HTMLElement
    setWidth(clampWidth(side.getBoundingClientRect().right - event.clientX))
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'ArrowLeft') setWidth(clampWidth(width + widths.step))
    else if (event.key === 'ArrowRight') setWidth(clampWidth(width - widths.step))
    else return
    event.preventDefault()
  }
  return (
    <Side id={filesId} style={{ width: clampWidth(width) }}>
      {/* biome-ignore lint/a11y/useSemanticElements: a rule cannot be moved; this one can */}
      <div
        role="separator"
        tabIndex={0}
        aria-orientation="vertical"
        aria-label={translate('app.terminal.panel_width')}
        aria-valuenow={clampWidth(width)}
        aria-valuemin={widths.min}
        aria-valuemax={widths.max}
        onPointerDown={(event) => {
          event.preventDefault()
          event.currentTarget.setPointerCapture(event.pointerId)
        }}
        onPointerMove={onDrag}
        onKeyDown={onKey}
      />
      {files}
    </Side>
  )
}

const Side = styled('div')(({ theme }) => ({
  position: 'relative',
  display: 'flex',
  flexDirection: 'column',
  flex: 'none',
  minHeight: 0,
  maxWidth: '70%',
  borderInlineStart: `1px solid ${theme.vars.palette.divider}`,
  '& > [role=separator]': {
    position: 'absolute',
    insetBlock: 0,
    insetInlineStart: -4,
    zIndex: 1,
    width: 8,
    cursor: 'col-resize',
    touchAction: 'none',
    '&:hover': { background: theme.vars.palette.action.hover },
  },
}))
