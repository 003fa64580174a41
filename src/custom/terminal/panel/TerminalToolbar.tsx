import AddIcon from '@mui/icons-material/Add'
import SendToAllIcon from '@mui/icons-material/CampaignOutlined'
import SnippetsIcon from '@mui/icons-material/CodeOutlined'
import FilesIcon from '@mui/icons-material/FolderOutlined'
import ListIcon from '@mui/icons-material/ListOutlined'
import SearchIcon from '@mui/icons-material/SearchOutlined'
import PreferencesIcon from '@mui/icons-material/SettingsOutlined'
import SplitIcon from '@mui/icons-material/ViewColumnOutlined'
import { styled } from '@mui/material/styles'
import { Suspense, useState } from 'react'
import { useTranslate } from 'react-admin'
import { useSetting } from '../../../components/useSetting.ts'
import { lazyPart } from '../../../engine/parts/lazyPart.tsx'
import { maxPanes } from '../panes/paneStore.ts'
import { type TerminalWorkspaceState, toolbarId } from '../panes/useTerminalWorkspace.ts'
import { escapeControlCharacters } from '../session/paste.ts'
import { FullscreenButton } from './FullscreenButton.tsx'
import { SessionStatus } from './SessionStatus.tsx'
import { SessionTools } from './SessionTools.tsx'
import { TerminalTabs } from './TerminalTabs.tsx'
import { ToolbarButton } from './ToolbarButton.tsx'

const PreferencesMenu = lazyPart(() => import('./PreferencesMenu.tsx'))
const OpenTerminalsDialog = lazyPart(() => import('../list/OpenTerminalsDialog.tsx'))
const SnippetsDialog = lazyPart(() => import('./SnippetsDialog.tsx'))

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
  const [preferencesAnchor, setPreferencesAnchor] = useState<HTMLElement>()
  const [hasSnippets, setSnippets] = useState(false)
  const [hasList, setList] = useState(false)
  const isHolding = useSetting()?.wheelhouse?.terminal_hold !== undefined
  const back = () => active?.screen.focus()
  return (
    <Bar id={toolbarId}>
      <h1 title={active?.title || undefined}>
        {active && panes.length === 1 ? <SessionStatus state={active.state} /> : null}
        {title}
        <small>{active?.serverName}</small>
      </h1>
      {panes.length > 1 ? <TerminalTabs workspace={workspace} onClose={onClose} /> : null}
      <Tools>
        <ToolbarButton
          name={
            panes.length < maxPanes
              ? translate('app.terminal.add')
              : translate('app.terminal.add_limit', { count: maxPanes })
          }
          isOff={panes.length >= maxPanes}
          onClick={() => toggle('picker', true)}
        >
          <AddIcon fontSize="small" />
        </ToolbarButton>
        {panes.length > 1 ? (
          <>
            <ToolbarButton name={translate('app.terminal.split')} isOn={isSplit} onClick={onSplit}>
              <SplitIcon fontSize="small" />
            </ToolbarButton>
            <ToolbarButton
              name={translate('app.terminal.send.open')}
              isOn={Boolean(opened.send)}
              onClick={() => toggle('send')}
            >
              <SendToAllIcon fontSize="small" />
            </ToolbarButton>
          </>
        ) : null}
        <ToolbarButton
          name={translate('app.terminal.search.open')}
          isOn={Boolean(opened.search)}
          onClick={() => toggle('search')}
        >
          <SearchIcon fontSize="small" />
        </ToolbarButton>
        {active ? (
          <NotOnPhones>
            <SessionTools key={active.key} pane={active} store={store} />
          </NotOnPhones>
        ) : null}
        {isHolding ? (
          <NotOnPhones>
            <ToolbarButton name={translate('app.terminal.held.title')} onClick={() => setList(true)}>
              <ListIcon fontSize="small" />
            </ToolbarButton>
          </NotOnPhones>
        ) : null}
        <ToolbarButton name={translate('app.terminal.snippets.open')} onClick={() => setSnippets(true)}>
          <SnippetsIcon fontSize="small" />
        </ToolbarButton>
        <ToolbarButton
          name={translate('app.terminal.preferences.open')}
          onClick={(event) => setPreferencesAnchor(event.currentTarget)}
        >
          <PreferencesIcon fontSize="small" />
        </ToolbarButton>
        <ToolbarButton
          name={translate('app.terminal.files')}
          isOn={Boolean(opened.files)}
          onClick={() => toggle('files')}
        >
          <FilesIcon fontSize="small" />
        </ToolbarButton>
        <FullscreenButton onChange={back} />
      </Tools>
      <Suspense>
        {preferencesAnchor ? (
          <PreferencesMenu anchor={preferencesAnchor} onClose={() => setPreferencesAnchor(undefined)} />
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
            onSend={(snippet, keys, runs) => {
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

/** There is no room for one more button, and the command palette leads to the same list. */
const NotOnPhones = styled('span')(({ theme }) => ({
  display: 'contents',
  [theme.breakpoints.down('sm')]: { display: 'none' },
}))

const Tools = styled('div')({ display: 'flex', flex: 'none', marginInlineStart: 'auto' })
