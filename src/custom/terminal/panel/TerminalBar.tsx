import AddIcon from '@mui/icons-material/Add'
import SendToAllIcon from '@mui/icons-material/CampaignOutlined'
import SnippetsIcon from '@mui/icons-material/CodeOutlined'
import FilesIcon from '@mui/icons-material/FolderOutlined'
import SearchIcon from '@mui/icons-material/SearchOutlined'
import ChoicesIcon from '@mui/icons-material/SettingsOutlined'
import SplitIcon from '@mui/icons-material/ViewColumnOutlined'
import IconButton from '@mui/material/IconButton'
import { styled } from '@mui/material/styles'
import Tooltip from '@mui/material/Tooltip'
import { type ReactNode, Suspense, useState } from 'react'
import { useTranslate } from 'react-admin'
import { lazyPart } from '../../../resources/engine/parts/lazyPart.tsx'
import { panesAtMost } from '../panes.ts'
import { barId, type Room } from '../useRoom.ts'
import { FullscreenButton } from './FullscreenButton.tsx'
import { StateDot } from './StateDot.tsx'
import { TerminalTabs } from './TerminalTabs.tsx'

const ChoicesMenu = lazyPart(() => import('./ChoicesMenu.tsx'))
const SnippetsDialog = lazyPart(() => import('./SnippetsDialog.tsx'))

interface TerminalBarProps {
  room: Room
  title: string
  isSplit: boolean
  onSplit: () => void
  onClose: (key: number) => void
}

/** The bar above the terminals: which one, in what state, and everything that can be done around it. */
export function TerminalBar({ room, title, isSplit, onSplit, onClose }: TerminalBarProps) {
  const translate = useTranslate()
  const { panes, active, opened, toggle, store } = room
  const [choicesAnchor, setChoicesAnchor] = useState<HTMLElement>()
  const [hasSnippets, setSnippets] = useState(false)
  const back = () => active?.screen.focus()
  return (
    <Bar id={barId}>
      <h1 title={active?.title || undefined}>
        {active && panes.length === 1 ? <StateDot state={active.state} /> : null}
        {title}
        <small>{active?.serverName}</small>
      </h1>
      {panes.length > 1 ? <TerminalTabs room={room} onClose={onClose} /> : null}
      <Tools>
        <Tool
          name={
            panes.length < panesAtMost
              ? translate('app.terminal.add')
              : translate('app.terminal.add_limit', { count: panesAtMost })
          }
          isOff={panes.length >= panesAtMost}
          onClick={() => toggle('picker', true)}
        >
          <AddIcon fontSize="small" />
        </Tool>
        {panes.length > 1 ? (
          <>
            <Tool name={translate('app.terminal.split')} isOn={isSplit} onClick={onSplit}>
              <SplitIcon fontSize="small" />
            </Tool>
            <Tool name={translate('app.terminal.send.open')} isOn={Boolean(opened.send)} onClick={() => toggle('send')}>
              <SendToAllIcon fontSize="small" />
            </Tool>
          </>
        ) : null}
        <Tool
          name={translate('app.terminal.search.open')}
          isOn={Boolean(opened.search)}
          onClick={() => toggle('search')}
        >
          <SearchIcon fontSize="small" />
        </Tool>
        <Tool name={translate('app.terminal.snippets.open')} onClick={() => setSnippets(true)}>
          <SnippetsIcon fontSize="small" />
        </Tool>
        <Tool name={translate('app.terminal.choices.open')} onClick={(event) => setChoicesAnchor(event.currentTarget)}>
          <ChoicesIcon fontSize="small" />
        </Tool>
        <Tool name={translate('app.terminal.files')} isOn={Boolean(opened.files)} onClick={() => toggle('files')}>
          <FilesIcon fontSize="small" />
        </Tool>
        <FullscreenButton onChange={back} />
      </Tools>
      <Suspense>
        {choicesAnchor ? <ChoicesMenu anchor={choicesAnchor} onClose={() => setChoicesAnchor(undefined)} /> : null}
        {hasSnippets ? (
          <SnippetsDialog
            onInsert={(snippet) => {
              setSnippets(false)
              active?.screen.paste(snippet)
              back()
            }}
            onRun={(snippet) => {
              setSnippets(false)
              active?.screen.paste(snippet)
              if (active) store.type(active.key, '\r')
              back()
            }}
            canSend={active?.state.phase === 'open'}
            onClose={() => setSnippets(false)}
          />
        ) : null}
      </Suspense>
    </Bar>
  )
}

interface ToolProps {
  name: string
  /** For what is switched on and off. */
  isOn?: boolean
  isOff?: boolean
  onClick: (event: React.MouseEvent<HTMLElement>) => void
  children: ReactNode
}

/** One button of the bar. */
export function Tool({ name, isOn, isOff, onClick, children }: ToolProps) {
  return (
    <Tooltip title={name}>
      {/* A button that is off shows no tooltip by itself. */}
      <span>
        <IconButton
          aria-label={name}
          aria-pressed={isOn}
          disabled={isOff}
          color={isOn ? 'primary' : 'inherit'}
          onClick={onClick}
        >
          {children}
        </IconButton>
      </span>
    </Tooltip>
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
