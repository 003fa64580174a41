import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { alterReplies } from '../../support/console/alterReplies.ts'
import { button, toasts } from '../../support/console/listPage.ts'
import { renderConsole } from '../../support/console/renderConsole.tsx'

const task = { name: 'backup', task_type: 1, command: 'true', scheduler: '', cover: 1, user_id: 2 }
const ofMember = { cron: [task, { ...task, name: 'update' }], notification: [{ name: 'mail', user_id: 2 }] }

/** Opens the question before the user `member` is deleted. */
async function ask(options: Parameters<typeof renderConsole>[0] = {}) {
  const rendered = await renderConsole({ path: '/dashboard/settings/user', ...options })
  const { user } = rendered
  await user.click(await screen.findByRole('button', { name: 'Actions for member' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Delete' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete “member”?' }))
  return { ...rendered, dialog }
}

const owners = (rows: readonly { user_id: number }[]) => rows.map(({ user_id }) => user_id)

describe('Before a user is deleted', () => {
  it('their records are counted, and moved to the signed-in user unless another one is chosen', async () => {
    const { user, dialog, storedRows } = await ask({ records: ofMember })
    await dialog.findByText('2 tasks')
    dialog.getByText('1 notifier')
    const receiver = dialog.getByRole<HTMLSelectElement>('combobox', { name: 'New owner' })
    await waitFor(() => expect(receiver.value).toBe('1'))
    expect([...receiver.options].map(({ text }) => text)).toEqual(['admin'])
    await user.click(dialog.getByRole('button', { name: 'Delete “member”' }))
    await waitFor(() => expect(toasts().join()).toContain('Deleted: “member”'))
    expect(storedRows('user')).toHaveLength(1)
    expect(owners(storedRows('cron'))).toEqual([1, 1])
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Actions for member' })).toBeNull())
  })

  it('their records can be deleted too', async () => {
    const { user, dialog, storedRows } = await ask({ records: ofMember })
    await user.click(await dialog.findByRole('radio', { name: 'Delete them too' }))
    expect(dialog.getByRole<HTMLSelectElement>('combobox', { name: 'New owner' }).disabled).toBe(true)
    await user.click(dialog.getByRole('button', { name: 'Delete “member”' }))
    await waitFor(() => expect(storedRows('user')).toHaveLength(1))
    expect([storedRows('cron'), storedRows('notification')]).toEqual([[], []])
  })

  it('the machine on which the server runs is named before it goes to somebody else', async () => {
    const machine = { name: 'console-1', uuid: 'd7a1', user_id: 2 }
    const prepare = alterReplies('server', (data) =>
      (data as object[]).map((row) => ({ ...row, runs_server: true, owner: { id: 2, username: 'member' } })),
    )
    const { user, dialog, storedRows } = await ask({ records: { server: [machine] }, prepare })
    await dialog.findByText(/console-1 is the machine on which this server runs\. Its new owner gets a shell/)
    const remove = dialog.getByRole<HTMLButtonElement>('button', { name: 'Delete “member”' })
    expect(remove.disabled).toBe(true)
    const input = dialog.getByRole('textbox', { name: 'Name of the machine' })
    await user.type(input, 'console')
    expect(remove.disabled).toBe(true)
    await user.type(input, '-1')
    await user.click(remove)
    await waitFor(() => expect(storedRows('user')).toHaveLength(1))
    expect(owners(storedRows('server'))).toEqual([1])
  })

  it('the question can be left without an answer, and they are not selected any more when it has come', async () => {
    const answer = Promise.withResolvers<void>()
    const { user } = await renderConsole({
      path: '/dashboard/settings/user',
      prepare: (app) =>
        void app.addHook('preHandler', async ({ url }) => {
          if (url.endsWith('/users/delete')) await answer.promise
        }),
    })
    await user.click(await screen.findByRole('checkbox', { name: 'Select member' }))
    await user.click(button('Delete selected'))
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete “member”?' }))
    await dialog.findByText('Nothing belongs to this account.')
    await user.click(dialog.getByRole('button', { name: 'Delete “member”' }))
    const cancel = dialog.getByRole('button', { name: 'Cancel' })
    await waitFor(() => expect(cancel).toHaveProperty('disabled', false))
    await user.click(cancel)
    await screen.findByText('1 selected')
    answer.resolve()
    await waitFor(() => expect(toasts().join()).toContain('Deleted: “member”'))
    await waitFor(() => expect(screen.queryByText('1 selected')).toBeNull())
  })

  it('nothing is asked about an account without records', async () => {
    const { user, dialog, storedRows } = await ask()
    await dialog.findByText('Nothing belongs to this account.')
    expect(dialog.queryByRole('radio')).toBeNull()
    await user.click(dialog.getByRole('button', { name: 'Delete “member”' }))
    await waitFor(() => expect(storedRows('user')).toHaveLength(1))
  })

  it('a server that cannot say what somebody owns gets the usual question', async () => {
    const withoutRecords = alterReplies('setting', (data) => {
      const { wheelhouse, ...setting } = data as { wheelhouse: Record<string, unknown> }
      return { ...setting, wheelhouse: { ...wheelhouse, user_records: false } }
    })
    const { user } = await renderConsole({ path: '/dashboard/settings/user', prepare: withoutRecords })
    await user.click(await screen.findByRole('button', { name: 'Actions for member' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Delete' }))
    await screen.findByRole('alertdialog', { name: 'Delete “member”?' })
  })
})
