import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { RoleAssignment } from '../../../src/schemas/define/access.ts'
import { toasts } from '../../support/console/listPage.ts'
import { type RenderOptions, renderConsole } from '../../support/console/renderConsole.tsx'

const records = {
  server: [
    { name: 'mine', user_id: 2 },
    { name: 'db-1', user_id: 1, hide_for_guest: true },
  ],
  service: [
    {
      name: 'shop',
      type: 1,
      target: 'https://shop.example/?key=secret',
      cover: 1,
      skip_servers: { 2: true },
      hide_for_guest: true,
      user_id: 1,
    },
  ],
  cron: [
    { name: 'clean up', task_type: 0, scheduler: '0 0 3 * * *', command: 'true', cover: 0, servers: [2], user_id: 1 },
  ],
}

/** The console of the member, who has a role on the administrator's server 2. */
const withRole = (role: RoleAssignment['role'], options: Pick<RenderOptions, 'path'> = {}) =>
  renderConsole({
    ...options,
    role: 'member',
    records,
    prepare: (app) => app.auth.roles.assign(2, [{ role, scope: { groups: [], servers: [2] } }]),
  })

const rowOf = async (name: string) => {
  const row = (await screen.findByText(name)).closest<HTMLElement>('[data-row]')
  if (!row) throw new Error(`${name} is in no row`)
  return within(row)
}

it('an administrator gives a member a role on a server, and takes it away', async () => {
  const { user, server } = await renderConsole({ records, path: '/dashboard/settings/user' })
  const { roles } = server.app.auth
  await user.click(await screen.findByRole('button', { name: 'Actions for member' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Roles' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Roles of member' }))
  await dialog.findByText(/^No roles yet/)
  await user.click(dialog.getByRole('radio', { name: /^Operator/ }))
  expect(dialog.getByRole('button', { name: 'Give role' })).toHaveProperty('disabled', true)
  await user.click(await dialog.findByRole('combobox', { name: /^Servers/ }))
  await user.click(await screen.findByRole('option', { name: 'db-1' }))
  await user.click(dialog.getByRole('button', { name: 'Give role' }))
  // It leaves by itself after a while.
  await waitFor(() => expect(toasts().join()).toContain('The roles were changed.'))
  const take = await dialog.findByRole('button', { name: 'Take away: Operator' })
  expect(roles.of(2)).toEqual([{ role: 'operator', scope: { groups: [], servers: [2] } }])
  await user.click(take)
  await dialog.findByText(/^No roles yet/)
  await waitFor(() => expect(roles.of(2)).toEqual([]))
})

it('an administrator makes a role of rights, changes it, and deletes it once nobody has it', async () => {
  const { user, server } = await renderConsole({ records, path: '/dashboard/settings/user' })
  const { roles } = server.app.auth
  const own = () => roles.all().slice(3)
  await user.click(await screen.findByRole('button', { name: 'Own roles' }))
  const list = within(await screen.findByRole('dialog', { name: 'Own roles' }))
  await user.click(await list.findByRole('button', { name: 'New role' }))
  const form = within(await screen.findByRole('dialog', { name: 'New role' }))
  expect(form.getByRole('checkbox', { name: /^See: the servers/ })).toHaveProperty('disabled', true)
  await user.type(form.getByRole('textbox', { name: 'Name' }), 'Viewer')
  await user.click(form.getByRole('checkbox', { name: /^Act: open terminals/ }))
  await user.click(form.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(toasts().join()).toContain('There is a role with this name already: choose another'))
  await user.clear(form.getByRole('textbox', { name: 'Name' }))
  await user.type(form.getByRole('textbox', { name: 'Name' }), 'On call')
  await user.click(form.getByRole('button', { name: 'Save' }))
  await list.findByText('See, Act')
  const id = own()[0]?.id as number
  expect(own()).toEqual([{ id, name: 'On call', rights: ['see', 'act'] }])

  await user.click(list.getByRole('button', { name: 'Edit On call' }))
  const edit = within(await screen.findByRole('dialog', { name: 'Edit On call' }))
  await user.click(edit.getByRole('checkbox', { name: /^Act/ }))
  await user.click(edit.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(own()).toEqual([{ id, name: 'On call', rights: ['see'] }]))

  await list.findByText('See')
  await user.click(list.getByRole('button', { name: 'Delete On call' }))
  const question = within(await screen.findByRole('alertdialog', { name: 'Delete “On call”?' }))
  question.getByText(/^Nobody has this role/)
  await user.click(question.getByRole('button', { name: 'Delete “On call”' }))
  await waitFor(() => expect(own()).toEqual([]))
})

it('an administrator does not bring back what another one has taken away meanwhile', async () => {
  let id = 0
  const everywhere = (role: RoleAssignment['role']) => ({ role, scope: 'all' }) as const
  const { user, server } = await renderConsole({
    records,
    path: '/dashboard/settings/user',
    prepare: ({ auth: { roles } }) => {
      id = roles.create({ name: 'On call', rights: ['act', 'secrets'] })
      roles.assign(2, [everywhere(id), everywhere('viewer')])
    },
  })
  const { roles } = server.app.auth
  await user.click(await screen.findByRole('button', { name: 'Own roles' }))
  const list = within(await screen.findByRole('dialog', { name: 'Own roles' }))
  await user.click(await list.findByRole('button', { name: 'Edit On call' }))
  const edit = within(await screen.findByRole('dialog', { name: 'Edit On call' }))
  roles.update(id, { name: 'Night shift', rights: ['act'] })
  await user.click(edit.getByRole('checkbox', { name: /^Configure/ }))
  await user.click(edit.getByRole('button', { name: 'Save' }))
  await list.findByText('Night shift')
  expect(roles.all()).toContainEqual({ id, name: 'Night shift', rights: ['see', 'act', 'configure'] })
  await user.click(list.getByRole('button', { name: 'Close' }))

  await user.click(await screen.findByRole('button', { name: 'Actions for member' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Roles' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Roles of member' }))
  await dialog.findByRole('button', { name: 'Take away: Night shift' })
  roles.assign(2, [everywhere('viewer')])
  await user.click(dialog.getByRole('radio', { name: /^Operator/ }))
  await user.click(dialog.getByRole('radio', { name: 'All servers' }))
  await user.click(dialog.getByRole('button', { name: 'Give role' }))
  await dialog.findByRole('button', { name: 'Take away: Operator' })
  expect(roles.of(2)).toEqual([everywhere('viewer'), everywhere('operator')])
})

it('an administrator is told who has a role before it can be deleted', async () => {
  const { user } = await renderConsole({
    records,
    path: '/dashboard/settings/user',
    prepare: ({ auth: { roles } }) => {
      const id = roles.create({ name: 'On call', rights: ['act'] })
      roles.assign(2, [{ role: id, scope: 'all' }])
    },
  })
  await user.click(await screen.findByRole('button', { name: 'Own roles' }))
  const list = within(await screen.findByRole('dialog', { name: 'Own roles' }))
  await list.findByText('member')
  await user.click(list.getByRole('button', { name: 'Delete On call' }))
  const told = within(await screen.findByRole('dialog', { name: 'Delete “On call”?' }))
  told.getByText(/^member: whoever is named here has this role/)
  expect(told.queryByRole('button', { name: /Delete/ })).toBeNull()
})

it('a viewer sees the server with its page, and nothing that changes it or opens it', async () => {
  await withRole('viewer')
  const row = await rowOf('db-1')
  expect(row.getByText('Read-only')).toBeTruthy()
  expect(row.queryByRole('link', { name: /Edit|terminal/i })).toBeNull()
  expect(row.queryByRole('button', { name: 'Actions for db-1' })).toBeNull()
})

it('an operator opens its terminal and mutes it, and does not edit it', async () => {
  const { user } = await withRole('operator')
  const row = await rowOf('db-1')
  expect(row.getByRole('link', { name: /terminal/i })).toBeTruthy()
  expect(row.queryByRole('link', { name: /Edit/ })).toBeNull()
  await user.click(await row.findByRole('button', { name: 'Actions for db-1' }))
  const items = (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)
  expect(items).toEqual([expect.stringMatching(/^Mute/)])
})

it('a viewer sees a service on it without its address, and has no menu for it', async () => {
  await withRole('viewer', { path: '/dashboard/service' })
  const row = await rowOf('shop')
  expect(row.getByText('Read-only')).toBeTruthy()
  expect(row.queryByText(/shop\.example/)).toBeNull()
  expect(row.queryByRole('button', { name: 'Actions for shop' })).toBeNull()
})

it('an operator runs a task of somebody else on it, and does not change that', async () => {
  const { user } = await withRole('operator', { path: '/dashboard/cron' })
  await user.click(await (await rowOf('clean up')).findByRole('button', { name: 'Actions for clean up' }))
  const items = (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)
  expect(items).toEqual(['Run now', 'Runs'])
})

it('an administrator of the server edits it, and does not delete it', async () => {
  const { user } = await withRole('administrator')
  const row = await rowOf('db-1')
  expect(await row.findByRole('link', { name: 'Edit db-1' })).toBeTruthy()
  await user.click(await row.findByRole('button', { name: 'Actions for db-1' }))
  const items = (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)
  expect(items).not.toContain('Delete')
})
