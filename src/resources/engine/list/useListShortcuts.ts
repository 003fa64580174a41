import { useEffect, useState } from 'react'

const textControls = 'input:not([type=checkbox]), textarea, select, [contenteditable=true]'

/**
 * The keyboard shortcuts of a list: `/` focuses the search, `?` shows the help, arrows move between rows and space
 * selects one. They do nothing while somebody types or a dialog is open.
 */
export function useListShortcuts() {
  const [isHelpOpen, setHelpOpen] = useState(false)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement
      if (event.ctrlKey || event.metaKey || event.altKey || target.closest(textControls) || isDialogOpen()) return
      if (event.key === '/') {
        event.preventDefault()
        document.querySelector<HTMLInputElement>('[data-search]')?.focus()
      } else if (event.key === '?') setHelpOpen(true)
      else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') moveFocus(event, target)
      else if (event.key === ' ' && target.matches('a')) {
        event.preventDefault()
        rowOf(target)?.querySelector<HTMLInputElement>('input[type=checkbox]')?.click()
      }
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  return { isHelpOpen, closeHelp: () => setHelpOpen(false) }
}

const isDialogOpen = () => document.querySelector('[role=dialog], [role=alertdialog], [role=menu]') !== null

const rowOf = (element: Element) => element.closest('[data-row]')

const focusable = 'a, button, input'

/** To the same control in the row above or below; from outside of the rows, into the last or first one. */
function moveFocus(event: KeyboardEvent, from: HTMLElement) {
  const rows = [...document.querySelectorAll('[data-row]')]
  if (rows.length === 0) return
  const current = rowOf(from)
  const step = event.key === 'ArrowDown' ? 1 : -1
  const next = current ? rows[rows.indexOf(current) + step] : rows.at(step === 1 ? 0 : -1)
  if (!next) return
  event.preventDefault()
  const controls = next.querySelectorAll<HTMLElement>(focusable)
  const index = current ? [...current.querySelectorAll(focusable)].indexOf(from) : 0
  ;(controls[index] ?? controls[0])?.focus()
}
