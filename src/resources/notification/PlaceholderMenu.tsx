import DataObjectIcon from '@mui/icons-material/DataObject'
import Button from '@mui/material/Button'
import ListSubheader from '@mui/material/ListSubheader'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import { type ReactNode, useRef, useState } from 'react'
import { useTranslate } from 'react-admin'

interface PlaceholderMenuProps {
  /** The field's label, for the button's name. */
  label: string
  /** Names without `#`, in groups with the headings `app.form.placeholders_<group>`. */
  placeholders: Readonly<Record<string, readonly string[]>>
  children: ReactNode
}

type Box = HTMLInputElement | HTMLTextAreaElement

/** Wraps an input with a menu of placeholders; the chosen one is inserted at the last cursor position. */
export function PlaceholderMenu({ label, placeholders, children }: PlaceholderMenuProps) {
  const translate = useTranslate()
  const frame = useRef<HTMLDivElement>(null)
  const last = useRef<Box>(null)
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)

  const insert = (name: string) => {
    setAnchor(null)
    const lastFocused = last.current?.isConnected ? last.current : null
    const box = lastFocused ?? frame.current?.querySelector<Box>('textarea:not([aria-hidden]), input')
    if (box) insertText(box, `#${name}#`)
  }

  return (
    <div
      ref={frame}
      onFocusCapture={({ target }) => {
        if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) last.current = target
      }}
    >
      {children}
      <Button
        size="small"
        startIcon={<DataObjectIcon fontSize="small" />}
        aria-haspopup="menu"
        aria-label={translate('app.form.insert_placeholder_into', { field: label })}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        {translate('app.form.insert_placeholder')}
      </Button>
      <Menu
        anchorEl={anchor}
        open={anchor !== null}
        onClose={() => setAnchor(null)}
        slotProps={{ list: { dense: true } }}
      >
        {Object.entries(placeholders).flatMap(([group, names]) => [
          <ListSubheader key={group}>{translate(`app.form.placeholders_${group}`)}</ListSubheader>,
          ...names.map((name) => (
            <MenuItem key={name} onClick={() => insert(name)} sx={{ fontFamily: 'monospace' }}>
              {`#${name}#`}
            </MenuItem>
          )),
        ])}
      </Menu>
    </div>
  )
}

/** Inserts a text at the cursor in a way that React notices, and puts the cursor behind it. */
function insertText(box: HTMLInputElement | HTMLTextAreaElement, text: string): void {
  const start = box.selectionStart ?? box.value.length
  const end = box.selectionEnd ?? start
  const value = box.value.slice(0, start) + text + box.value.slice(end)
  // React overrides the element's own `value` property: only the prototype's setter makes it see a change.
  const prototype = Object.getPrototypeOf(box) as object
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(box, value)
  box.dispatchEvent(new Event('input', { bubbles: true }))
  box.focus()
  box.setSelectionRange(start + text.length, start + text.length)
}
