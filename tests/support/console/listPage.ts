import { screen } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'

const rows = () => [...document.querySelectorAll<HTMLTableRowElement>('tbody tr[aria-selected]')]

/** The texts of one column, from the top; the checkboxes are column 0. */
export const columnTexts = (index: number) => rows().map((row) => row.cells[index]?.textContent ?? '')

/** The ids of the rows on screen, from the top. */
export const shownIds = () => columnTexts(1).map(Number)

/** How many rows are ticked. */
export const tickedRows = () => rows().filter((row) => row.getAttribute('aria-selected') === 'true').length

/** The words of the toasts on screen. */
export const toasts = () => [...document.querySelectorAll('[data-type]')].map((toast) => toast.textContent ?? '')

/** The address of the page without its host: path and decoded query. */
export const address = () => window.location.pathname + decodeURIComponent(window.location.search)

export const button = (name: string | RegExp) => screen.getByRole('button', { name })

/** Chooses an entry of the list's "View options", such as an action for the selected rows, selected or not. */
export async function chooseInView(user: UserEvent, name: string) {
  await user.click(button('View options'))
  await user.click(await screen.findByRole('menuitem', { name }))
}
