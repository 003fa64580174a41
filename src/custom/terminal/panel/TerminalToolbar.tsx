import AddIcon from '@mui/icons-material/Add'
import SendToAllIcon from '@mui/icons-material/CampaignOutlined'
import Close from '@mui/icons-material/Close'
import SnippetsIcon from '@mui/icons-material/CodeOutlined'
import FilesIcon from '@mui/icons-material/FolderOutlined'
import ShareIcon from '@mui/icons-material/GroupAddOutlined'
import ListIcon from '@mui/icons-material/ListOutlined'
import MoreVert from '@mui/icons-material/MoreVert'
import TellIcon from '@mui/icons-material/NotificationsOutlined'
import RecordIcon from '@mui/icons-material/RadioButtonCheckedOutlined'
import SearchIcon from '@mui/icons-material/SearchOutlined'
import PreferencesIcon from '@mui/icons-material/SettingsOutlined'
import SplitIcon from '@mui/icons-material/ViewColumnOutlined'
import { styled } from '@mui/material/styles'
import useMediaQuery from '@mui/material/useMediaQuery'
import { type ReactNode, Suspense, useRef, useState } from 'react'
import { useDataProvider, useNotify, useTranslate } from 'react-admin'
import { MenuButton } from '../../../components/MenuButton.tsx'
import { useSetting } from '../../../components/useSetting.ts'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import { escapeControlCharacters } from '../../../domain/terminal/controlCharacters.ts'
import { useToast } from '../../../engine/parts/ActionDialog.tsx'
import { IconAction } from '../../../engine/parts/LineIcon.tsx'
import { lazyPart } from '../../../engine/parts/lazyPart.tsx'
import { terminalEndpoints } from '../../../schemas/endpoints/terminalEndpoints.ts'
import { maxPanes, type Pane, type PaneStore, paneName, terminalId } from '../panes/paneStore.ts'
import { notificationRight } from '../panes/useProgramRequests.ts'
import { type TerminalWorkspaceState, toolbarId } from '../panes/useTerminalWorkspace.ts'
import { quietSeconds } from '../session/commandWatch.ts'
import { SessionStatus } from './SessionStatus.tsx'
import { FullscreenButton, type Tool, ToolbarButton } from './ToolbarButton.tsx'

const PreferencesMenu = lazyPart(() => import('./PreferencesMenu.tsx'))
const OpenTerminalsDialog = lazyPart(() => import('../list/OpenTerminalsDialog.tsx'))
const SnippetsDialog = lazyPart(() => import('./SnippetsDialog.tsx'))
const ShareDialog = lazyPart(() => import('./ShareDialog.tsx'))

interface TerminalToolbarProps {
  workspace: TerminalWorkspaceState
  title: string
  isSplit: boolean
  onSplit: () => void
  onClose: (key: number) => void
}

/** The bar above the terminals: which one, in what state, and everything that can be done around it. */
export function TerminalToolbar({ workspace, title, isSplit, onSplit, onClose }: TerminalToolbarProps) {
  const translate = useTranslate()
  const { panes, active, opened, toggle, store } = workspace
  const [hasPreferences, setPreferences] = useState(false)
  const [hasSnippets, setSnippets] = useState(false)
  const [hasList, setList] = useState(false)
  const isHolding = useSetting()?.wheelhouse?.terminal_hold !== undefined
  const isPhone = useMediaQuery((theme) => theme.breakpoints.down('sm'), { noSsr: true })
  const bar = useRef<HTMLElement>(null)
  const back = () => active?.screen.focus()
  const session = useSessionTools(active, store)

  const add: Tool = {
    name:
      panes.length < maxPanes
        ? translate('app.terminal.add')
        : translate('app.terminal.add_limit', { count: maxPanes }),
    icon: <AddIcon fontSize="small" />,
    isOff: panes.length >= maxPanes,
    onUse: () => toggle('picker', true),
  }
  const files: Tool = {
    name: translate('app.terminal.files'),
    icon: <FilesIcon fontSize="small" />,
    isOn: Boolean(opened.files),
    onUse: () => toggle('files'),
  }
  const split: Tool = {
    name: translate('app.terminal.split'),
    icon: <SplitIcon fontSize="small" />,
    isOn: isSplit,
    onUse: onSplit,
  }
  const send: Tool = {
    name: translate('app.terminal.send.open'),
    icon: <SendToAllIcon fontSize="small" />,
    isOn: Boolean(opened.send),
    onUse: () => toggle('send'),
  }
  const search: Tool = {
    name: translate('app.terminal.search.open'),
    icon: <SearchIcon fontSize="small" />,
    isOn: Boolean(opened.search),
    onUse: () => toggle('search'),
  }
  const list: Tool = {
    name: translate('app.terminal.held.title'),
    icon: <ListIcon fontSize="small" />,
    onUse: () => setList(true),
  }
  const snippets: Tool = {
    name: translate('app.terminal.snippets.open'),
    icon: <SnippetsIcon fontSize="small" />,
    onUse: () => setSnippets(true),
  }
  const preferences: Tool = {
    name: translate('app.terminal.preferences.open'),
    icon: <PreferencesIcon fontSize="small" />,
    onUse: () => setPreferences(true),
  }
  const isSeveral = panes.length > 1
  const others = [
    ...(isSeveral ? [split] : []),
    ...(isSeveral || isHolding ? [send] : []),
    search,
    ...session.tools,
    ...(isHolding ? [list] : []),
    snippets,
    preferences,
  ]
  return (
    <Bar id={toolbarId} ref={bar}>
      <h1 title={active?.title || undefined}>
        {active && panes.length === 1 ? <SessionStatus state={active.state} /> : null}
        {title}
        <small>{active?.serverName}</small>
      </h1>
      {isSeveral ? <TerminalTabs workspace={workspace} onClose={onClose} /> : null}
      <Tools>
        {(isPhone ? [add, files] : [add, ...others, files]).map(({ icon, onUse, ...tool }) => (
          <ToolbarButton key={tool.name} {...tool} onClick={onUse}>
            {icon}
          </ToolbarButton>
        ))}
        <FullscreenButton onChange={back} />
        {isPhone ? (
          <MenuButton
            label={translate('app.terminal.more')}
            icon={<MoreVert fontSize="small" />}
            items={others
              .filter(({ isOff }) => !isOff)
              .map(({ name, icon, isOn, onUse }) => ({
                key: name,
                label: name,
                icon,
                isOn,
                // After the menu has given the focus back to its button: it belongs to what was chosen.
                onSelect: () => setTimeout(onUse),
              }))}
          />
        ) : null}
      </Tools>
      {session.dialog}
      <Suspense>
        {hasPreferences && bar.current ? (
          <PreferencesMenu anchor={bar.current} onClose={() => setPreferences(false)} />
        ) : null}
        {hasList ? (
          <OpenTerminalsDialog
            onShow={(terminal) => {
              setList(false)
              workspace.show(terminal)
            }}
            onClose={() => setList(false)}
          />
        ) : null}
        {hasSnippets ? (
          <SnippetsDialog
            panes={panes}
            active={active}
            onSend={(snippet, { keys }, runs) => {
              setSnippets(false)
              for (const { key, screen } of panes.filter((pane) => keys.includes(pane.key))) {
                screen.paste(escapeControlCharacters(snippet))
                if (runs) store.type(key, '\r')
              }
              back()
            }}
            onClose={() => setSnippets(false)}
          />
        ) : null}
      </Suspense>
    </Bar>
  )
}

const Bar = styled('header')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  gap: 8,
  flex: 'none',
  minHeight: 40,
  paddingInline: '12px 4px',
  color: theme.vars.palette.text.primary,
  background: theme.vars.palette.sunken,
  borderBottom: `1px solid ${theme.vars.palette.divider}`,
  '& > h1': {
    ...theme.typography.h3,
    display: 'flex',
    alignItems: 'center',
    gap: 8,
    minWidth: 0,
    margin: 0,
    whiteSpace: 'nowrap',
  },
  '& > h1 > small': {
    minWidth: 0,
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    fontSize: 13,
    fontWeight: 400,
    color: theme.vars.palette.text.secondary,
  },
  [theme.breakpoints.down('md')]: {
    flexWrap: 'wrap',
    rowGap: 0,
    '& > h1': { flex: 1 },
    '& > ul': { order: 3, flexBasis: '100%' },
  },
}))

const Tools = styled('div')({ display: 'flex', flex: 'none', marginInlineStart: 'auto' })

/** What can be done with one terminal: be told when its command ends, share it, record it. */
function useSessionTools(pane: Pane | undefined, store: PaneStore): { tools: Tool[]; dialog: ReactNode } {
  const translate = useTranslate()
  const notify = useNotify()
  const toast = useToast()
  const { call } = useDataProvider<ConsoleDataProvider>()
  /** The terminal whose sharing is open. */
  const [sharing, setSharing] = useState<number>()
  if (!pane) return { tools: [], dialog: null }
  const { terminal, isWatched, key } = pane
  const recording = terminal?.recording

  const watch = async () => {
    const how = store.watchCommand(key, !isWatched)
    pane.screen.focus()
    if (isWatched || !how) return
    notify(`app.terminal.command.${how}`, { type: 'info', messageArgs: { count: quietSeconds } })
    // In this window it is said in any case.
    if (notificationRight() === 'default') await Notification.requestPermission()
  }
  const record = () =>
    call(terminalEndpoints.recordTerminal, { session: terminalId(pane), is_on: recording !== 'on' }).catch(
      toast.showError,
    )
  const tell: Tool = {
    name: translate('app.terminal.command.tell'),
    icon: <TellIcon fontSize="small" />,
    isOn: isWatched,
    isOff: pane.state.phase !== 'open',
    onUse: () => void watch(),
  }
  const share: Tool = {
    name: translate('app.terminal.share.title'),
    icon: <ShareIcon fontSize="small" />,
    isOn: terminal?.share !== undefined,
    onUse: () => setSharing(key),
  }
  const recorded: Tool = {
    name: translate('app.terminal.record.button'),
    icon: <RecordIcon fontSize="small" />,
    isOn: recording === 'on',
    onUse: () => void record(),
  }
  const mayRecord = recording === 'on' || recording === 'off'
  return {
    tools: [tell, ...(terminal ? [share] : []), ...(mayRecord ? [recorded] : [])],
    dialog: (
      <Suspense>{sharing === key ? <ShareDialog pane={pane} onClose={() => setSharing(undefined)} /> : null}</Suspense>
    ),
  }
}

/** The terminals by name: which one is in front, the state of each, and a button to close each. */
function TerminalTabs({ workspace, onClose }: { workspace: TerminalWorkspaceState; onClose: (key: number) => void }) {
  const translate = useTranslate()
  const { panes, active, store } = workspace
  return (
    <List aria-label={translate('app.terminal.tabs')}>
      {panes.map((pane) => {
        const name = paneName(pane)
        const isActive = pane.key === active?.key
        return (
          <li key={pane.key} data-active={isActive}>
            <button
              type="button"
              aria-current={isActive}
              title={pane.title || name}
              ref={(button) => {
                if (isActive) button?.scrollIntoView?.({ block: 'nearest', inline: 'nearest' })
              }}
              onClick={() => store.activate(pane.key)}
            >
              <SessionStatus state={pane.state} />
              <span>{name}</span>
            </button>
            <IconAction
              type="button"
              aria-label={translate('app.terminal.close_tab', { name })}
              onClick={() => onClose(pane.key)}
            >
              <Close />
            </IconAction>
          </li>
        )
      })}
    </List>
  )
}

const List = styled('ul')(({ theme }) => ({
  display: 'flex',
  alignSelf: 'stretch',
  flex: 1,
  minWidth: 0,
  margin: 0,
  padding: 0,
  overflowX: 'auto',
  scrollbarWidth: 'thin',
  listStyle: 'none',
  '& > li': {
    display: 'flex',
    alignItems: 'center',
    flex: 'none',
    maxWidth: 220,
    minHeight: 39,
    borderInlineEnd: `1px solid ${theme.vars.palette.divider}`,
    borderBottom: '2px solid transparent',
  },
  '& > li[data-active=true]': {
    background: theme.vars.palette.background.paper,
    borderBottomColor: theme.vars.palette.primary.main,
  },
  '& > li > button:first-of-type': {
    all: 'unset',
    display: 'flex',
    alignItems: 'center',
    gap: 8,
    minWidth: 0,
    height: '100%',
    paddingInlineStart: 12,
    fontSize: 13,
    cursor: 'pointer',
    '& > span:last-of-type': { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
    '&:focus-visible': { outline: `2px solid ${theme.vars.palette.primary.main}`, outlineOffset: -2 },
  },
}))
