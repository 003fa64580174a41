import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { alterReplies } from '../../support/console/alterReplies.ts'
import { enterText } from '../../support/console/enterText.ts'
import { button } from '../../support/console/listPage.ts'
import { renderConsole } from '../../support/console/renderConsole.tsx'

const noDialog = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
const tabs = async () => within(await screen.findByRole('navigation', { name: 'Sections' })).getAllByRole('link')
const now = Math.floor(Date.now() / 1000)

/** So many addresses, the newest first. */
const addresses = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    ip: `198.51.100.${at}`,
    block_reason: 1,
    block_timestamp: now - at,
    count: 1,
  }))

/** A server with these rows, paged as it pages. */
const blocked = (rows: object[]) => {
  let asked = ''
  return (app: Parameters<ReturnType<typeof alterReplies>>[0]) => {
    app.addHook('onRequest', async ({ url }) => {
      if (url.includes('/waf?')) asked = url.split('?')[1] ?? ''
    })
    alterReplies('waf', () => {
      const offset = Number(new URLSearchParams(asked).get('offset'))
      const limit = Number(new URLSearchParams(asked).get('limit'))
      return { value: rows.slice(offset, offset + limit), pagination: { offset, limit, total: rows.length } }
    })(app)
  }
}

/** As a Nezha server, which says nothing of this console. */
const announcesNothing = alterReplies('setting', (data) => ({ ...(data as object), wheelhouse: undefined }))

/** As a Nezha server before v2.0.8, which shows its lists to members. */
const oldServer = (app: Parameters<typeof announcesNothing>[0]) => {
  announcesNothing(app)
  app.addHook('onRequest', async ({ url }, reply) => {
    if (!url.includes('/online-user?')) return
    const value = [{ ip: '198.51.100.7', connected_at: '2026-11-21T00:34:06Z' }]
    return reply.send({ success: true, data: { value, pagination: { limit: 50, total: 1 } } })
  })
}

describe('The tabs of the settings', () => {
  it('start with the settings, on each of them', async () => {
    await renderConsole({ path: '/dashboard/settings/user' })
    await screen.findByRole('heading', { name: /^Users/, level: 1 })
    // Only some servers have it, and the settings say which.
    await screen.findByRole('link', { name: 'Audit log' })
    expect((await tabs()).map(({ textContent }) => textContent)).toEqual([
      'Settings',
      expect.stringMatching(/^Users/),
      expect.stringMatching(/^Online users/),
      expect.stringMatching(/^Blocked addresses/),
      'Shares',
      'Audit log',
      'Configuration',
      'Import',
      'Security',
    ])
  })

  it.each([
    ['settings/user', 'Users'],
    ['settings/online-user', 'Online users'],
    ['settings/waf', 'Blocked addresses'],
    ['settings/audit', 'Audit log'],
    ['settings/configuration', 'Configuration'],
    ['settings/import', 'Import'],
    ['settings/security', 'Security'],
  ])('say to a member at %s that it is for administrators only, with the way back', async (path, title) => {
    const { user, network } = await renderConsole({ role: 'member', path: `/dashboard/${path}` })
    await screen.findByText('This page is for administrators only.')
    screen.getByRole('heading', { name: title, level: 1 })
    expect(window.location.pathname).toBe(`/dashboard/${path}`)
    const asked = network.sent.filter(({ path: sent }) => /user|waf|audit|import|security/.test(sent))
    expect(asked).toEqual([])
    expect(document.cookie).toContain('nz-jwt')
    expect(screen.getByRole('link', { name: 'Profile' }).getAttribute('href')).toBe('/dashboard/profile')
    await user.click(screen.getByRole('link', { name: 'Back to Dashboard' }))
    await screen.findByRole('heading', { name: /^Servers/, level: 1 })
  })

  it('are not in the user menu of a member who may see none of them', async () => {
    const { user } = await renderConsole({ role: 'member' })
    await user.click(await screen.findByRole('button', { name: 'User menu: member' }))
    await screen.findByRole('menuitem', { name: 'Profile' })
    expect(screen.queryByRole('menuitem', { name: 'Settings' })).toBeNull()
  })

  it('open for members on one that an older server shows them', async () => {
    await renderConsole({ role: 'member', path: '/dashboard/settings', prepare: oldServer })
    await screen.findByText('198.51.100.7')
    expect(window.location.pathname).toBe('/dashboard/settings/online-user')
    expect((await tabs()).map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^Online users/),
      'Blocked addresses',
    ])
  })

  it('say so on a Nezha server that refuses them, and are not offered again', async () => {
    const { user } = await renderConsole({
      role: 'member',
      path: '/dashboard/settings/online-user',
      prepare: announcesNothing,
    })
    await screen.findByText('This page is for administrators only.')
    screen.getByRole('heading', { name: 'Online users', level: 1 })
    await user.click(screen.getByRole('button', { name: 'User menu: member' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Settings' }))
    await screen.findByRole('heading', { name: 'Blocked addresses', level: 1 })
    await screen.findByText('This page is for administrators only.')
    await user.click(screen.getByRole('button', { name: 'User menu: member' }))
    await screen.findByRole('menuitem', { name: 'Profile' })
    expect(screen.queryByRole('menuitem', { name: 'Settings' })).toBeNull()
  })

  it('are linked from the user menu', async () => {
    const { user } = await renderConsole()
    await user.click(await screen.findByRole('button', { name: 'User menu: admin' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Settings' }))
    await screen.findByRole('heading', { name: 'Settings', level: 1 })
  })
})

describe('The two kinds of groups', () => {
  it('are tabs of one navigation entry, which is current on both', async () => {
    const { user } = await renderConsole({
      path: '/dashboard/server-group',
      records: { 'server-group': [{ name: 'Web', servers: [] }] },
    })
    await screen.findByRole('link', { name: 'Web' })
    const [, other] = await tabs()
    await user.click(other as HTMLElement)
    await screen.findByRole('heading', { name: /^Notifier groups/, level: 1 })
    const main = screen.getByRole('navigation', { name: 'Main navigation' })
    expect(within(main).getByRole('link', { current: 'page' }).textContent).toBe('Group')
    await waitFor(async () => expect((await tabs())[0]?.textContent).toBe('Server groups1'))
  })
})

describe('The list of users', () => {
  it('does not let users delete their own account, and says so', async () => {
    const { user, storedRows } = await renderConsole({ path: '/dashboard/settings/user' })
    for (const [name, items] of [
      ['member', 1],
      ['admin', 0],
    ] as const) {
      await user.click(await screen.findByRole('button', { name: `Actions for ${name}` }))
      await screen.findByRole('menu')
      expect(screen.queryAllByRole('menuitem', { name: 'Delete' })).toHaveLength(items)
      await user.keyboard('{Escape}')
      await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
    }
    await user.click(screen.getByRole('checkbox', { name: 'Select all rows on this page' }))
    await user.click(button('Delete selected'))
    await screen.findByText('Your own account cannot be deleted. Remove it from the selection.')
    expect(screen.queryByRole('alertdialog')).toBeNull()
    expect(storedRows('user')).toHaveLength(2)
  })

  it('creates a user and always sends the role', async () => {
    const { user, network, storedRows } = await renderConsole({ path: '/dashboard/settings/user/create' })
    await enterText(user, await screen.findByRole('textbox', { name: 'Username' }), 'anna')
    await enterText(user, await screen.findByLabelText('Password'), 'short')
    await user.click(button('Save'))
    await screen.findByText('Must be at least 8 characters')
    await enterText(user, await screen.findByLabelText('Password'), ' but longer')
    await user.click(button('Save'))
    await noDialog()
    expect(network.sent.find(({ method, path }) => method === 'POST' && path === 'user')?.body).toEqual({
      username: 'anna',
      password: 'short but longer',
      role: 1,
    })
    expect(storedRows('user')).toHaveLength(3)
  })
})

describe('The list of blocked addresses', () => {
  it('has its page in the URL, and cannot be sorted', async () => {
    await renderConsole({ path: '/dashboard/settings/waf?page=2&pageSize=10', prepare: blocked(addresses(25)) })
    await screen.findByText('198.51.100.10')
    expect(screen.getAllByText(/^198\.51\.100\.\d+$/)).toHaveLength(10)
    await screen.findByText('Total: 25')
    const headings = screen.getAllByRole('columnheader')
    expect(headings.flatMap((heading) => within(heading).queryAllByRole('button'))).toEqual([])
  })

  it('shows reasons and identifiers as text, users by name, and the end of each block', async () => {
    await renderConsole({
      path: '/dashboard/settings/waf',
      prepare: blocked([
        { ip: '198.51.100.1', block_identifier: -124, block_reason: 4, block_timestamp: now, count: 99_999 },
        { ip: '198.51.100.2', block_identifier: 2, block_reason: 1, block_timestamp: 1_795_221_228, count: 2 },
        { ip: '198.51.100.2', block_identifier: -125, block_reason: 1, block_timestamp: 1_795_221_200, count: 1 },
        { ip: '198.51.100.3', block_identifier: -9, block_reason: 77, block_timestamp: 1000, count: 1 },
      ]),
    })
    await screen.findByText('member #2')
    const cells = screen.getAllByRole('row').map((row) =>
      within(row)
        .queryAllByRole('cell')
        .map((cell) => cell.textContent),
    )
    expect(cells.slice(1).map((row) => row.slice(2, 7))).toEqual([
      ['99,999', 'Blocked by an admin', 'Blocked by an admin', expect.any(String), 'Permanently'],
      // Both rows count: the last offence and 3 to the power of 4 seconds.
      ['2', 'Login failed', 'member #2', '2026-11-21T00:33:48Z', expect.stringContaining('2026-11-21T00:35:09Z')],
      ['1', 'Login failed', 'User is invalid', '2026-11-21T00:33:20Z', expect.stringContaining('2026-11-21T00:35:09Z')],
      ['1', 'unknown (77)', '-9', '1970-01-01T00:16:40Z', 'Ended 1970-01-01T00:16:43Z'],
    ])
  })

  it('says "at least" where rows on other pages may add', async () => {
    const rows = addresses(12).map((row) => ({ ...row, count: 9 }))
    await renderConsole({ path: '/dashboard/settings/waf', prepare: blocked(rows) })
    await screen.findByText('198.51.100.0')
    expect(screen.getAllByText(/^At least until 2/)).toHaveLength(10)
  })

  it('shows when a block ends as the server says it, whatever is on other pages', async () => {
    const end = Date.parse('2030-01-02T03:04:05Z') / 1000
    const rows = addresses(12).map((row) => ({ ...row, blocked_until: end }))
    await renderConsole({ path: '/dashboard/settings/waf', prepare: blocked(rows) })
    await screen.findByText('198.51.100.0')
    expect(screen.getAllByText(/2030-01-02T03:04:05Z/)).toHaveLength(10)
  })

  it('unblocks an address with all its rows', async () => {
    const { user, network } = await renderConsole({ path: '/dashboard/settings/waf', prepare: blocked(addresses(2)) })
    await user.click(await screen.findByRole('button', { name: 'Actions for 198.51.100.1' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Delete' }))
    await screen.findByText('This operation cannot be undone!')
    await user.click(await screen.findByRole('button', { name: 'Delete “198.51.100.1”' }))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    expect(network.sent.find(({ path }) => path === 'batch-delete/waf')?.body).toEqual(['198.51.100.1'])
  })
})

describe('The list of online users', () => {
  const visitors = [
    { ip: '127.0.0.1', user_id: 1, connected_at: '2026-11-21T00:34:05.063447413Z' },
    { ip: '198.51.100.9', connected_at: '2026-11-21T00:34:06Z' },
    { ip: '198.51.100.9', connected_at: '2026-11-21T00:34:07Z' },
  ]
  const online = alterReplies('online-user', () => ({ value: visitors, pagination: { limit: 10, total: 3 } }))

  it('asks for confirmation before users block their own address', async () => {
    const { user, network } = await renderConsole({ path: '/dashboard/settings/online-user', prepare: online })
    await screen.findByText('this is you')
    await screen.findByText('admin #1')
    expect(screen.getAllByText('Guest')).toHaveLength(2)
    await screen.findByText('2026-11-21T00:34:05Z')
    await user.click(await screen.findByRole('button', { name: 'Actions for 127.0.0.1' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Block' }))
    const question = await screen.findByRole('alertdialog')
    within(question).getByText(/Your own address 127\.0\.0\.1 is among them/)
    const confirm = within(question).getByRole('button', { name: 'Block' })
    expect(confirm.hasAttribute('disabled')).toBe(true)
    await user.click(within(question).getByRole('checkbox', { name: 'Block my own address as well' }))
    expect(confirm.hasAttribute('disabled')).toBe(false)
    await user.click(within(question).getByRole('button', { name: 'Cancel' }))
    expect(network.sent.some(({ path }) => path === 'online-user/batch-block')).toBe(false)
  })

  it('blocks an address once, however many rows it has', async () => {
    const { user, network } = await renderConsole({ path: '/dashboard/settings/online-user', prepare: online })
    for (const box of await screen.findAllByRole('checkbox', { name: 'Select 198.51.100.9' })) await user.click(box)
    await user.click(button('Block'))
    const question = await screen.findByRole('alertdialog')
    within(question).getByText('This operation cannot be undone!')
    await user.click(within(question).getByRole('button', { name: 'Block' }))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    expect(network.sent.find(({ path }) => path === 'online-user/batch-block')?.body).toEqual(['198.51.100.9'])
  })
})
