import { screen, waitFor, within } from '@testing-library/react'
import type { FastifyInstance } from 'fastify'
import { describe, expect, it } from 'vitest'
import { alterReplies } from '../../support/console/alterReplies.ts'
import { alterSetting } from '../../support/console/alterSetting.ts'
import { button, toasts } from '../../support/console/listPage.ts'
import { renderConsole } from '../../support/console/renderConsole.tsx'
import { catchErrors } from '../../support/journeys/consoleErrors.ts'
import { readRecording } from '../../support/recorded/recording.ts'

const recorded = (file: string, name: string) =>
  readRecording(file).find((exchange) => exchange.name === name)?.response.body ?? {}

interface Asked {
  call: string
  body: unknown
}

async function moveBothServers(options: Parameters<typeof renderConsole>[0]): Promise<void> {
  const { user } = await renderConsole(options)
  await moveServers(user)
}

type User = Awaited<ReturnType<typeof renderConsole>>['user']

/** @param confirm what is done in the dialog after the new owner is chosen */
async function moveServers(user: User, confirm?: (dialog: HTMLElement) => Promise<void>): Promise<void> {
  await screen.findByRole('checkbox', { name: 'Select web-2' })
  await user.click(screen.getByRole('checkbox', { name: 'Select all rows on this page' }))
  await user.click(await screen.findByRole('button', { name: 'More' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Move to user' }))
  const dialog = await screen.findByRole('dialog', { name: /Move 2 servers/ })
  await user.click(await within(dialog).findByRole('combobox', { name: 'To' }))
  await user.click(await screen.findByRole('option', { name: /#?2|member/ }))
  await confirm?.(dialog)
  await user.click(within(dialog).getByRole('button', { name: 'Move' }))
}

/** A Nezha server that answers these calls as given, and other Nezha-only calls with 404. */
function nezhaServer(replies: Record<string, unknown>) {
  const asked: Asked[] = []
  const prepare = (app: FastifyInstance) => {
    alterSetting({}, { wheelhouse: undefined })(app)
    app.addHook('preHandler', async ({ method, url, body }, reply) => {
      const call = `${method} ${url.replace('/api/v1/', '')}`
      if (!/api-tokens|transfer|batch-move/.test(call)) return
      asked.push({ call, body: typeof body === 'string' && body ? JSON.parse(body) : undefined })
      const answer = replies[call]
      return answer === undefined ? reply.code(404).send({ error: '404 Not Found' }) : reply.send(answer)
    })
  }
  return { asked, prepare }
}

const servers = { server: ['web-1', 'web-2'].map((name, at) => ({ name, uuid: `u-${at + 1}`, user_id: 1 })) }

it('The header leads to what visitors see', async () => {
  await renderConsole({ prepare: nezhaServer({}).prepare })
  const link = await screen.findByRole('link', { name: 'What visitors see' })
  expect(link.getAttribute('href')).toBe('/')
})

describe('API tokens', () => {
  it('are loaded when they are opened, and listed with their scopes and servers', async () => {
    const { asked, prepare } = nezhaServer({ 'GET api-tokens': recorded('api-tokens', 'list') })
    const { user } = await renderConsole({ path: '/dashboard/profile', records: servers, prepare })
    const show = await screen.findByRole('button', { name: 'Show: API tokens' })
    expect(asked).toEqual([])
    await user.click(show)
    const section = screen.getByRole('region', { name: 'API tokens' })
    const rows = (await within(section).findAllByRole('row')).slice(1)
    await waitFor(() => expect(rows[1]?.textContent).toContain('web-1'))
    expect(rows.map((row) => row.textContent)).toEqual([
      expect.stringMatching(/^allnezha:\*AllNever expiresNever/),
      expect.stringMatching(/^cinezha:inventory:read nezha:server:execweb-1Dec 21, 2026/),
    ])
  })

  it('are created with scopes, shown once, and revoked after a confirmation', async () => {
    const { asked, prepare } = nezhaServer({
      'GET api-tokens': recorded('api-tokens', 'list'),
      'POST api-tokens': recorded('api-tokens', 'create'),
      'DELETE api-tokens/1': recorded('api-tokens', 'delete'),
    })
    const { user } = await renderConsole({ path: '/dashboard/profile', records: servers, prepare })
    await user.click(await screen.findByRole('button', { name: 'Show: API tokens' }))
    await user.click(await screen.findByRole('button', { name: 'Create token' }))
    const dialog = await screen.findByRole('dialog', { name: 'Create token' })
    // It can be sent once its inputs are there.
    await within(dialog).findByRole('combobox', { name: 'Scopes' })
    await waitFor(() =>
      expect(within(dialog).getByRole('button', { name: 'Create token' })).toHaveProperty('disabled', false),
    )
    await user.click(within(dialog).getByRole('button', { name: 'Create token' }))
    expect((await within(dialog).findAllByRole('alert')).length).toBeGreaterThan(0)
    await user.type(within(dialog).getByRole('textbox', { name: 'Name' }), 'ci')
    await user.type(within(dialog).getByRole('combobox', { name: 'Scopes' }), 'nezha:server:ex')
    await user.click(await screen.findByRole('option', { name: 'nezha:server:exec' }))
    await user.click(within(dialog).getByRole('button', { name: 'Create token' }))
    const shown = await screen.findByRole('dialog', { name: 'Token created' })
    within(shown).getByText('<token>')
    within(shown).getByText(/will not be shown again/)
    expect(asked.find(({ call }) => call === 'POST api-tokens')?.body).toEqual({
      name: 'ci',
      scopes: ['nezha:server:exec'],
      server_ids: [],
      expires_in_days: 30,
    })
    await user.click(within(shown).getByRole('button', { name: 'Close' }))
    await waitFor(() => expect(screen.queryByText('<token>')).toBeNull())
    await user.click(button('Revoke ci'))
    const question = await screen.findByRole('alertdialog', { name: 'Revoke “ci”?' })
    await user.click(within(question).getByRole('button', { name: 'Revoke' }))
    await waitFor(() => expect(toasts()).toContain('Revoked: ci'))
    expect(asked.some(({ call }) => call === 'DELETE api-tokens/1')).toBe(true)
  })
})

describe('Moving servers to a user', () => {
  it('reports which transfers have started, and why the others have not', async () => {
    const { asked, prepare } = nezhaServer({
      'POST batch-move/server': {
        success: true,
        data: [
          { server_id: 1, status: 'pending' },
          { server_id: 2, status: 'same_owner' },
        ],
      },
    })
    await moveBothServers({ records: servers, prepare })
    await waitFor(() => expect(toasts().join()).toMatch(/1 transfer started\s*web-2: already belongs to this user/))
    expect(asked.at(-1)).toEqual({ call: 'POST batch-move/server', body: { ids: [1, 2], to_user: 2 } })
  })

  it('works on the embedded server too', async () => {
    await moveBothServers({ records: servers })
    await waitFor(() => expect(toasts().join()).toMatch(/2 transfers started/))
  })
})

describe('The machine on which the server runs', () => {
  it('is moved after its name was typed, and the dialog says what the new owner can do', async () => {
    const prepare = alterReplies('server', (data) => {
      const [first, ...others] = data as object[]
      return [{ ...first, runs_server: true }, ...others]
    })
    const { user, network } = await renderConsole({ records: servers, prepare })
    const isMoved = () => network.sent.some(({ path }) => path.startsWith('batch-move'))
    await moveServers(user, async (dialog) => {
      expect(dialog.textContent).toMatch(/web-1 is the machine on which this server runs\. Its new owner gets a shell/)
      const input = within(dialog).getByRole('textbox', { name: 'Name of the machine' })
      await user.click(within(dialog).getByRole('button', { name: 'Move' }))
      await user.type(input, 'web')
      await user.click(within(dialog).getByRole('button', { name: 'Move' }))
      await within(dialog).findByText('This is not the name of the machine')
      expect(isMoved()).toBe(false)
      await user.type(input, '-1')
    })
    await waitFor(() => expect(toasts().join()).toMatch(/2 transfers started/))
    expect(isMoved()).toBe(true)
  })
})

describe('Transfers of servers', () => {
  it('are listed with their state, and can be retried or cancelled', async () => {
    const pending = { id: 9, server_id: 2, from_user_id: 1, to_user_id: 2, initiator_id: 1 }
    const list = recorded('transfer', 'list') as { data: object[] }
    const { asked, prepare } = nezhaServer({
      'GET transfer': { success: true, data: [pending, ...list.data] },
      'POST transfer/9/cancel': { success: true, data: pending },
      'POST transfer/1/retry': recorded('transfer', 'retry'),
    })
    const { user } = await renderConsole({ path: '/dashboard/profile', records: servers, prepare })
    await user.click(await screen.findByRole('button', { name: 'Show: Server transfers' }))
    await screen.findByText(/rotated secret cannot be delivered over plaintext/)
    await user.click(await screen.findByRole('button', { name: 'Cancel the transfer of web-2' }))
    await waitFor(() => expect(toasts()).toContain('The transfer is cancelled'))
    await user.click(button('Retry the transfer of web-1'))
    await waitFor(() => expect(toasts()).toContain('A new transfer was started'))
    expect(asked.map(({ call }) => call)).toEqual(
      expect.arrayContaining(['POST transfer/9/cancel', 'POST transfer/1/retry']),
    )
  })
})

// The last: what is missing stays hidden for the visit, and the tests of this file are one.
describe('A feature that the server does not have', () => {
  it('is neither offered nor requested from an embedded server of an earlier version', async () => {
    const prepare = alterSetting({}, { wheelhouse: { version: '1' } })
    const { network } = await renderConsole({ path: '/dashboard/profile', prepare })
    await screen.findByRole('heading', { name: 'Account' })
    await waitFor(() => expect(network.sent.some(({ path }) => path === 'setting')).toBe(true))
    expect(screen.queryByRole('region', { name: 'API tokens' })).toBeNull()
    expect(network.sent.some(({ path }) => /api-tokens|transfer/.test(path))).toBe(false)
  })

  it('is hidden after a 404, with a message', async () => {
    catchErrors()
    const { prepare } = nezhaServer({})
    const { user } = await renderConsole({ path: '/dashboard/profile', prepare })
    await user.click(await screen.findByRole('button', { name: 'Show: Server transfers' }))
    await waitFor(() => expect(toasts()).toContain('This server does not support this.'))
    expect(screen.queryByRole('region', { name: 'Server transfers' })).toBeNull()
  })
})
