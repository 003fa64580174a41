import Close from '@mui/icons-material/Close'
import { styled } from '@mui/material/styles'
import { useTranslate } from 'react-admin'
import { IconAction } from '../../../engine/parts/LineIcon.tsx'
import { paneName } from '../panes/paneStore.ts'
import type { TerminalWorkspaceState } from '../panes/useTerminalWorkspace.ts'
import { SessionStatus } from './SessionStatus.tsx'

/** The terminals by name: which one is in front, the state of each, and a button to close each. */
export function TerminalTabs({
  workspace,
  onClose,
}: {
  workspace: TerminalWorkspaceState
  onClose: (key: number) => void
}) {
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
