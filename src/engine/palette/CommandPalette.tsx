import Dialog from '@mui/material/Dialog'
import OutlinedInput from '@mui/material/OutlinedInput'
import { styled } from '@mui/material/styles'
import { type KeyboardEvent, useId, useState } from 'react'
import { useNavigate, useTranslate } from 'react-admin'
import type { NamedPage } from '../define/namedPage.ts'
import type { ResourceEntry } from '../define/resourceEntry.ts'
import { type Command, useCommands } from './paletteCommands.ts'

const List = styled('div')(({ theme }) => ({
  maxHeight: '50vh',
  overflowY: 'auto',
  margin: 0,
  padding: theme.spacing(0.5),
  listStyle: 'none',
  '& [role=option]': {
    display: 'flex',
    justifyContent: 'space-between',
    gap: theme.spacing(2),
    padding: theme.spacing(1, 1.5),
    borderRadius: theme.shape.borderRadius,
    cursor: 'pointer',
  },
  '& [role=option][aria-selected=true]': { background: theme.vars.palette.action.selected },
  '& small': { color: theme.vars.palette.text.secondary, whiteSpace: 'nowrap' },
  '& span': { minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
}))

interface CommandPaletteProps {
  resources: readonly ResourceEntry[]
  namedPages: readonly NamedPage[]
  /** What was typed before its input was there. */
  initialText: string
  onClose: () => void
}

/** Opens screens, create dialogs and records by a part of their name. */
export default function CommandPalette({ resources, namedPages, initialText, onClose }: CommandPaletteProps) {
  const translate = useTranslate()
  const navigate = useNavigate()
  const id = useId()
  const [typed, setTyped] = useState(initialText)
  const [active, setActive] = useState(0)
  const { commands, isSearching } = useCommands(resources, namedPages, typed)
  const current = Math.min(active, commands.length - 1)
  const run = (command: Command | undefined) => {
    if (!command) return
    onClose()
    if (command.isOwnTab) window.open(command.to, '_blank', 'noopener')
    else navigate(command.to)
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter') run(commands[current])
    else if (event.key === 'ArrowDown') setActive(Math.min(current + 1, commands.length - 1))
    else if (event.key === 'ArrowUp') setActive(Math.max(current - 1, 0))
    else return
    event.preventDefault()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      slotProps={{ paper: { 'aria-label': translate('app.palette.title') } }}
      maxWidth="sm"
      fullWidth
      sx={{ '& .MuiDialog-container': { alignItems: 'flex-start' } }}
    >
      <OutlinedInput
        autoFocus
        fullWidth
        value={typed}
        placeholder={translate('app.palette.hint')}
        onKeyDown={onKey}
        onChange={(event) => {
          setTyped(event.target.value)
          setActive(0)
        }}
        slotProps={{
          input: {
            role: 'combobox',
            'aria-label': translate('app.palette.hint'),
            'aria-expanded': true,
            'aria-controls': id,
            'aria-activedescendant': commands.length > 0 ? `${id}-${current}` : undefined,
          },
        }}
      />
      <List id={id} role="listbox" aria-label={translate('app.palette.title')}>
        {commands.map((command, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the input keeps the focus and handles the keys
          // biome-ignore lint/a11y/useFocusableInteractive: aria-activedescendant names the active option
          <div
            key={command.to}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === current}
            ref={(item) => {
              if (index === current) item?.scrollIntoView?.({ block: 'nearest' })
            }}
            onClick={() => run(command)}
          >
            <span>{command.label}</span>
            <small>{command.group}</small>
          </div>
        ))}
      </List>
      {commands.length === 0 ? (
        <p role="status" style={{ padding: '0 20px 12px' }}>
          {translate(isSearching ? 'app.list.loading' : 'app.list.no_results')}
        </p>
      ) : null}
    </Dialog>
  )
}
