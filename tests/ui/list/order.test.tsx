import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { renderConsole } from '../../support/console/renderConsole.tsx'

const servers = ['web', 'db', 'mail'].map((name, at) => ({ name, display_index: 30 - 10 * at }))
const names = () =>
  [...document.querySelectorAll<HTMLElement>('tbody tr[data-row] .name-link')].map((link) => link.title)

it('A row moves with Alt and an arrow key, keeps the focus, and its place is announced', async () => {
  const { user, storedRows } = await renderConsole({ records: { server: servers } })
  const link = await screen.findByRole('link', { name: /^web/ })
  link.focus()
  await user.keyboard('{Alt>}{ArrowDown}{/Alt}')
  await screen.findByText('web: position 2 of 3')
  await waitFor(() => expect(names()).toEqual(['db', 'web', 'mail']))
  await waitFor(() => expect(document.activeElement?.textContent).toContain('web'))
  // One write, in the room between the others.
  const stored = Object.fromEntries(storedRows('server').map(({ name, display_index }) => [name, display_index]))
  expect(stored).toMatchObject({ db: 20, mail: 10 })
  expect(stored.web).toBeLessThan(20)

  await user.keyboard('{Alt>}{ArrowDown}{/Alt}')
  await screen.findByText('web: position 3 of 3')
  await user.click(screen.getByRole('button', { name: 'Actions for mail' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Move to top' }))
  await screen.findByText('mail: position 1 of 3')
  await waitFor(() => expect(names()).toEqual(['mail', 'db', 'web']))
})

it('In another sorting a row stays, the list says how to get there, and the sorting can become the order', async () => {
  const { user, storedRows } = await renderConsole({
    path: '/dashboard?sort=name&order=ASC',
    records: { server: servers },
  })
  const link = await screen.findByRole('link', { name: /^web/ })
  link.focus()
  await user.keyboard('{Alt>}{ArrowUp}{/Alt}')
  await screen.findByText(/choose “Order by hand” in the view options/)
  expect(names()).toEqual(['db', 'mail', 'web'])

  await user.click(screen.getByRole('button', { name: 'View options' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Renumber in this order…' }))
  const dialog = await screen.findByRole('dialog', { name: /^Renumber/ })
  await user.click(await within(dialog).findByRole('button', { name: 'Change 3 servers' }))
  await within(dialog).findByText('Changed: 3 servers.')
  await user.click(within(dialog).getByRole('button', { name: 'Close' }))
  const stored = Object.fromEntries(storedRows('server').map(({ name, display_index }) => [name, display_index]))
  expect(stored).toEqual({ db: 30, mail: 20, web: 10 })

  await user.click(screen.getByRole('button', { name: 'View options' }))
  await user.click(await screen.findByRole('menuitemcheckbox', { name: 'Order by hand' }))
  await user.keyboard('{Escape}')
  expect(await screen.findAllByRole('button', { name: /^Move (db|mail|web)$/ })).toHaveLength(3)
})
