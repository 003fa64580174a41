import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import OutlinedInput from '@mui/material/OutlinedInput'
import { styled } from '@mui/material/styles'
import useMediaQuery from '@mui/material/useMediaQuery'
import { useState } from 'react'
import { useTranslate } from 'react-admin'
import { ActionDialog } from '../../../engine/parts/ActionDialog.tsx'
import type { Pane } from '../panes/paneStore.ts'
import type { TerminalWorkspaceState } from '../panes/useTerminalWorkspace.ts'

const arrows = [
  ['left', '←'],
  ['down', '↓'],
  ['up', '↑'],
  ['right', '→'],
] as const

/** The keys that phones do not have. Ctrl holds for the next character. */
export function TouchKeys({ workspace, active }: { workspace: TerminalWorkspaceState; active: Pane }) {
  const translate = useTranslate()
  const isTouch = useMediaQuery('(pointer: coarse)', { noSsr: true })
  const [isPasting, setPasting] = useState(false)
  if (!isTouch) return null
  const { isControlHeld, setControlHeld, store } = workspace
  const type = (text: string) => {
    store.type(active.key, text)
    active.screen.focus()
  }
  const paste = async () => {
    try {
      workspace.paste(active, await navigator.clipboard.readText())
    } catch {
      // Without TLS, or without leave to read the clipboard, a person pastes into a box.
      setPasting(true)
    }
  }
  return (
    <Keys
      role="toolbar"
      aria-label={translate('app.terminal.keys.name')}
      // The keyboard of the phone stays open as long as the terminal has the focus.
      onPointerDown={(event) => event.preventDefault()}
    >
      <button type="button" onClick={() => type('\x1b')}>
        Esc
      </button>
      <button type="button" onClick={() => type('\t')}>
        Tab
      </button>
      <button
        type="button"
        aria-pressed={isControlHeld}
        onClick={() => {
          setControlHeld(!isControlHeld)
          active.screen.focus()
        }}
      >
        Ctrl
      </button>
      {arrows.map(([direction, sign]) => (
        <button
          key={direction}
          type="button"
          aria-label={translate(`app.terminal.keys.${direction}`)}
          onClick={() => type(active.screen.arrow(direction))}
        >
          {sign}
        </button>
      ))}
      <button type="button" onClick={() => void paste()}>
        {translate('app.terminal.keys.paste')}
      </button>
      {isPasting ? (
        <PasteInputDialog
          onPaste={(text) => {
            setPasting(false)
            workspace.paste(active, text)
          }}
          onClose={() => setPasting(false)}
        />
      ) : null}
    </Keys>
  )
}

const Keys = styled('div')(({ theme }) => ({
  display: 'flex',
  flex: 'none',
  gap: 4,
  padding: 4,
  overflowX: 'auto',
  background: theme.vars.palette.sunken,
  borderTop: `1px solid ${theme.vars.palette.divider}`,
  '& > button': {
    flex: '1 0 auto',
    minWidth: 44,
    height: 44,
    padding: '0 5px',
    font: 'inherit',
    fontSize: 13,
    color: theme.vars.palette.text.primary,
    background: theme.vars.palette.background.paper,
    border: `1px solid ${theme.vars.palette.control}`,
    borderRadius: 6,
    touchAction: 'manipulation',
  },
  '& > button[aria-pressed=true]': {
    color: theme.vars.palette.primary.contrastText,
    background: theme.vars.palette.primary.main,
  },
}))

/** A box to paste into, where the page may not read the clipboard by itself. */
function PasteInputDialog({ onPaste, onClose }: { onPaste: (text: string) => void; onClose: () => void }) {
  const translate = useTranslate()
  const [text, setText] = useState('')
  const label = translate('app.terminal.paste.box')
  return (
    <ActionDialog title={label} width={480} onClose={onClose}>
      <DialogContent>
        <OutlinedInput
          autoFocus
          multiline
          fullWidth
          minRows={4}
          maxRows={12}
          value={text}
          onChange={({ target }) => setText(target.value)}
          slotProps={{ input: { 'aria-label': label, spellCheck: false } }}
        />
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{translate('app.action.cancel')}</Button>
        <Button variant="contained" disabled={text === ''} onClick={() => onPaste(text)}>
          {translate('app.terminal.paste.button')}
        </Button>
      </DialogActions>
    </ActionDialog>
  )
}
