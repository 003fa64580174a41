import { useEffect } from 'react'
import { isDialogOpen, textControls } from '../palette/shortcutRequests.ts'

const keys = new Set(['/', 'ArrowDown', 'ArrowUp', 'Enter', ' '])

/**
 * The keyboard shortcuts of a list: `/` focuses the search, arrows move between rows and from the search into them, Enter
 * opens a row's record and space selects the row. They do nothing while somebody types or a
 * dialog is open.
 *
 * The focus itself moves, so that a screen reader says the row: it stands on the record's name, or on the row where
 * that leads nowhere.
 */
export function useListShortcuts(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement
      if (!keys.has(event.key) || event.ctrlKey || event.metaKey || event.altKey) return
      const isSearch = target === searchBox()
      // The search for a dialog goes through the whole page: it comes last, and not with every letter of a text.
      if ((!isSearch && target.closest(textControls)) || isDialogOpen()) return
      if (isSearch) {
        if (event.key === 'ArrowDown' && !event.isComposing) moveFocus(event, target)
        return
      }
      if (event.key === '/') {
        event.preventDefault()
        searchBox()?.focus()
      } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') moveFocus(event, target)
      else if (event.key === 'Enter' && target.matches('[data-row], [data-row] input')) {
        nameLinkOf(rowOf(target))?.click()
      } else if (event.key === ' ' && target.matches('[data-row], [data-row] a')) {
        event.preventDefault()
        rowOf(target)?.querySelector<HTMLInputElement>('input[type=checkbox]')?.click()
      }
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}

const searchBox = () => document.querySelector<HTMLInputElement>('[data-search]')

const rowOf = (element: Element) => element.closest<HTMLElement>('[data-row]')

const nameLinkOf = (row: HTMLElement | null) => row?.querySelector<HTMLElement>('.name-link')

/** The focus on the name in the first row, or on the row where that leads nowhere. */
export function focusFirstRow(): void {
  const row = document.querySelector<HTMLElement>('[data-row]')
  if (!row) return
  const target = nameLinkOf(row) ?? row
  if (target === row) row.tabIndex = -1
  target.focus()
}

const focusable = 'a, button, input'

/**
 * To the same control in the row above or below. From outside of the rows to the name in the first row, or in the last
 * one; from the first row back to the search.
 */
function moveFocus(event: KeyboardEvent, from: HTMLElement) {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')]
  if (rows.length === 0) return
  const current = rowOf(from)
  const step = event.key === 'ArrowDown' ? 1 : -1
  const row = current ? rows[rows.indexOf(current) + step] : rows.at(step === 1 ? 0 : -1)
  const target = row ? controlLike(from, row) : step === -1 ? searchBox() : undefined
  if (!target) return
  event.preventDefault()
  target.focus()
}

function controlLike(from: HTMLElement, row: HTMLElement): HTMLElement {
  const current = rowOf(from)
  const index = current ? [...current.querySelectorAll(focusable)].indexOf(from) : -1
  const isName = from === nameLinkOf(current)
  const control = isName ? undefined : row.querySelectorAll<HTMLElement>(focusable)[index]
  const found = control ?? nameLinkOf(row) ?? row
  // A row can have the focus only where it says so.
  if (found === row) row.tabIndex = -1
  return found
}
