import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { enterText } from '../../support/console/enterText.ts'
import { toasts } from '../../support/console/listPage.ts'
import { renderConsole } from '../../support/console/renderConsole.tsx'

const records = {
  server: [
    { name: 'mine', user_id: 2 },
    { name: 'db-1', user_id: 1 },
  ],
  'server-share': [{ name: 'support', users: [2], servers: [2], server_groups: [], user_id: 1 }],
}

const rowOf = async (name: string) => {
  const row = (await screen.findByText(name)).closest<HTMLElement>('[data-row]')
  if (!row) throw new Error(`${name} is in no row`)
  return within(row)
}

it('a member sees a shared server as read-only, with its page and nothing that changes it', async () => {
  await renderConsole({ role: 'member', records })
  const shared = await rowOf('db-1')
  expect(shared.getByText('Read-only')).toBeTruthy()
  expect(shared.queryByRole('link', { name: /Edit|terminal/i })).toBeNull()
  expect(shared.queryByRole('button', { name: 'Actions for db-1' })).toBeNull()
  const own = await rowOf('mine')
  expect(own.queryByText('Read-only')).toBeNull()
  expect(own.getByRole('link', { name: 'Edit mine' })).toBeTruthy()

  expect(shared.getByRole('link', { name: /^db-1/ }).getAttribute('href')).toBe('/dashboard/server/2/overview')
})

it('a bulk action says why it does nothing with shared servers among the selected', async () => {
  const { user } = await renderConsole({ role: 'member', records })
  await user.click((await rowOf('db-1')).getByRole('checkbox'))
  await user.click(screen.getByRole('button', { name: /Delete/ }))
  expect(toasts().join()).toMatch(/belong to others and are read-only/)
  expect(screen.queryByRole('dialog')).toBeNull()
})

it('the address of the form says that a shared server is read-only', async () => {
  await renderConsole({ role: 'member', records, path: '/dashboard/server/2' })
  const dialog = await screen.findByRole('dialog')
  expect(await within(dialog).findByText(/belongs to somebody else and is read-only/)).toBeTruthy()
  expect(within(dialog).queryByRole('textbox')).toBeNull()
})

it('forms of a member do not offer servers that they may only look at', async () => {
  const { user } = await renderConsole({ role: 'member', records, path: '/dashboard/server-group/create' })
  await user.click(await screen.findByRole('combobox', { name: /Servers/ }))
  expect((await screen.findAllByRole('option')).map(({ textContent }) => textContent)).toEqual(['mine'])
})

it('an administrator shares servers in the settings', async () => {
  const { user } = await renderConsole({ records, path: '/dashboard/settings/server-shares/create' })
  const dialog = await screen.findByRole('dialog', { name: /Share/ })
  await enterText(user, within(dialog).getByRole('textbox', { name: 'Name' }), 'night watch')
  await user.click(within(dialog).getByRole('combobox', { name: /Members/ }))
  await user.click(await screen.findByRole('option', { name: /member/ }))
  await user.click(within(dialog).getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('night watch')).toBeTruthy()
})
