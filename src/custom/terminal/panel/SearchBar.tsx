import Close from '@mui/icons-material/Close'
import DownIcon from '@mui/icons-material/KeyboardArrowDownOutlined'
import UpIcon from '@mui/icons-material/KeyboardArrowUpOutlined'
import OutlinedInput from '@mui/material/OutlinedInput'
import { styled } from '@mui/material/styles'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { useTranslate } from 'react-admin'
import { searchFieldId } from '../panes/useTerminalWorkspace.ts'
import type { Screen, SearchResults } from '../screen/screen.ts'
import { ToolbarButton } from './ToolbarButton.tsx'

/** Searches everything a terminal has shown: Enter goes up to older matches, as the newest lines are at the end. */
export function SearchBar({ screen, onClose }: { screen: Screen; onClose: () => void }) {
  const translate = useTranslate()
  const [text, setText] = useState('')
  const [results, setResults] = useState<SearchResults>()
  useEffect(() => screen.onSearchResults(setResults), [screen])
  useEffect(() => () => screen.endSearch(), [screen])

  const find = (query: string, backwards: boolean, isNew = false) => {
    if (query) screen.find(query, { backwards, isNew })
    else screen.endSearch()
  }
  const close = () => {
    onClose()
    screen.focus()
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape') close()
    else if (event.key === 'Enter') find(text, !event.shiftKey)
    else return
    event.preventDefault()
  }
  return (
    <Bar role="search">
      <OutlinedInput
        autoFocus
        id={searchFieldId}
        size="small"
        value={text}
        placeholder={translate('app.terminal.search.placeholder')}
        onKeyDown={onKey}
        onChange={({ target }) => {
          setText(target.value)
          find(target.value, true, true)
        }}
        slotProps={{ input: { 'aria-label': translate('app.terminal.search.placeholder') } }}
      />
      <span role="status">{text && results ? countText(results, translate) : ''}</span>
      <ToolbarButton name={translate('app.terminal.search.previous')} onClick={() => find(text, true)}>
        <UpIcon fontSize="small" />
      </ToolbarButton>
      <ToolbarButton name={translate('app.terminal.search.next')} onClick={() => find(text, false)}>
        <DownIcon fontSize="small" />
      </ToolbarButton>
      <ToolbarButton name={translate('app.action.close')} onClick={close}>
        <Close fontSize="small" />
      </ToolbarButton>
    </Bar>
  )
}

function countText({ current, total }: SearchResults, translate: ReturnType<typeof useTranslate>): string {
  if (total === 0) return translate('app.list.no_results')
  return current < 0
    ? translate('app.terminal.search.many', { total })
    : translate('app.terminal.search.hits', { current: current + 1, total })
}

const Bar = styled('div')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  gap: 4,
  flex: 'none',
  padding: '4px 4px 4px 12px',
  background: theme.vars.palette.sunken,
  borderBottom: `1px solid ${theme.vars.palette.divider}`,
  '& > .MuiOutlinedInput-root': { flex: 1, maxWidth: 360, height: 32 },
  '& > [role=status]': {
    minWidth: 72,
    paddingInline: 4,
    fontSize: 13,
    textAlign: 'end',
    color: theme.vars.palette.text.secondary,
  },
}))
