import { act, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { LiveEntry } from '../../../src/live/feedMessages.ts'
import { applyEntries } from '../../../src/live/store.ts'
import type { OrderReport } from '../../../src/schemas/machines/serverConfig.ts'
import { enterText } from '../../support/console/enterText.ts'
import { button, chooseInView, toasts } from '../../support/console/listPage.ts'
import { renderConsole } from '../../support/console/renderConsole.tsx'
import { catchErrors } from '../../support/journeys/consoleErrors.ts'

type Configs = Record<number, Record<string, unknown> | undefined>

/** Three servers; those in `configs` have an agent that answers for itself. */
async function open(
  configs: Configs = {},
  { refuse = [] as number[], hanging = [] as number[], setting = {}, profile = {}, owner = 1, more = {} } = {},
) {
  const sent: { servers: number[]; config: Record<string, unknown> }[] = []
  const reloading = new Set<string>()
  const rendered = await renderConsole({
    records: {
      server: ['web-1', 'web-2', 'web-3'].map((name, index) => ({
        name,
        uuid: `u-${index + 1}`,
        user_id: owner,
        ...more,
      })),
    },
    prepare: (app) => {
      app.addHook('preHandler', async ({ method, url, body }, reply) => {
        const data = (value: unknown) => reply.send({ success: true, ...(value !== undefined && { data: value }) })
        const { wheelhouse, ...site } = setting as { wheelhouse?: object }
        if (url === '/api/v1/setting') return data({ config: { language: 'en-US', ...site }, wheelhouse })
        if (url === '/api/v1/profile') return data({ id: 1, username: 'admin', role: 0, ...profile })
        if (url === '/api/v1/force-update/server') return data({ success: [1], failure: [2], offline: [3] })
        if (!url.startsWith('/api/v1/server/config')) return
        if (method === 'GET') {
          if (reloading.has(url)) return reply.send({ error: 'get server config failed: another reload is in process' })
          const config = configs[Number(url.split('/').at(-1))]
          return data(config && JSON.stringify(config))
        }
        const { servers, config } = JSON.parse(body as string) as { servers: number[]; config: string }
        sent.push({ servers, config: JSON.parse(config) })
        const [id = 0] = servers
        if (hanging.includes(id)) await new Promise(() => {})
        const report: Partial<OrderReport> = refuse.includes(id) ? { failure: [id] } : { success: [id] }
        if (!refuse.includes(id) && configs[id]?.server) reloading.add(`${url}/${id}`)
        if (!refuse.includes(id)) configs[id] = JSON.parse(config)
        return data(report)
      })
    },
  })
  await screen.findByText('web-3')
  const choose = async (name: string, item: string) => {
    await rendered.user.click(button(`Actions for ${name}`))
    await rendered.user.click(await screen.findByRole('menuitem', { name: item }))
  }
  return { ...rendered, sent, choose }
}

const identity = (id: number) => ({ uuid: `u-${id}`, client_secret: `s-${id}`, server: `panel:${id}`, own: [id] })
const agent = (id: number, more: object = {}) => ({ ...identity(id), report_delay: 3, ip_report_period: 1800, ...more })

let copied: string[] = []
const withClipboard = () => {
  copied = []
  const writeText = async (text: string) => void copied.push(text)
  Object.defineProperty(navigator, 'clipboard', { value: { writeText }, configurable: true })
}

describe('The agent configuration of one server', () => {
  it('opens with the agent’s values, is validated, and is sent with all other keys unchanged', async () => {
    const { user, sent, choose } = await open({ 1: agent(1, { gpu: true }) })
    await choose('web-1', 'Edit config')
    const dialog = await screen.findByRole('dialog', { name: 'Config of “web-1”' })
    const delay = await within(dialog).findByRole('textbox', { name: 'Report interval (s)' })
    expect(delay).toHaveProperty('value', '3')
    expect(within(dialog).getByText(/restarts in about 10 s and is back about 10 s later/)).toBeTruthy()
    await user.clear(delay)
    await user.type(delay, '5')
    await user.type(within(dialog).getByRole('textbox', { name: /Partition allowlist/ }), '[[1')
    await user.click(button('Save'))
    await within(dialog).findByText('Must be at most 4')
    expect(within(dialog).getByText('Invalid JSON string')).toBeTruthy()
    await user.clear(delay)
    await user.type(delay, '2')
    await user.clear(within(dialog).getByRole('textbox', { name: /Partition allowlist/ }))
    await user.click(button('Save'))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(sent).toEqual([{ servers: [1], config: { ...agent(1, { gpu: true }), report_delay: 2 } }])
    expect(toasts().join()).toContain('“web-1” has accepted the new settings. The agent restarts in about 10 s')
  })

  it('says why it cannot be read, and closes', async () => {
    const errors = catchErrors()
    const { choose } = await open({})
    await choose('web-2', 'Edit config')
    await waitFor(() => expect(toasts().join()).toContain('The server does not exist or has not been connected yet'))
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(errors()).toContain('not_connected')
  })

  it('warns by name before access to the machine is disabled, and asks before it discards changes', async () => {
    const { user, sent, choose } = await open({ 1: agent(1) })
    await choose('web-1', 'Edit config')
    await user.click(await screen.findByRole('switch', { name: 'Disable command execution' }))
    const warning = await screen.findByRole('alert')
    expect(warning.textContent).toMatch(/cannot be undone from here.*Disable command execution: tasks, terminal/)
    await user.keyboard('{Escape}')
    await user.click(await screen.findByRole('button', { name: 'Discard changes' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(sent).toEqual([])
  })
})

describe('The agent configuration of several servers', () => {
  it('changes only ticked settings, shows old and new values per server, and sends each its own text', async () => {
    const errors = catchErrors()
    const { user, sent } = await open({ 1: agent(1, { gpu: true }), 2: agent(2, { report_delay: 4 }), 3: undefined })
    await user.click(screen.getByRole('checkbox', { name: 'Select all rows on this page' }))
    await user.click(button('More'))
    await user.click(await screen.findByRole('menuitem', { name: 'Edit config' }))
    const dialog = await screen.findByRole('dialog', { name: 'Config of 3 servers' })
    await user.click(await within(dialog).findByRole('button', { name: 'Compare' }))
    await within(dialog).findByText('Tick at least one setting to change.')
    await user.click(within(dialog).getByRole('checkbox', { name: 'Change: Report interval (s)' }))
    const delay = await within(dialog).findByRole('textbox', { name: 'Report interval (s)' })
    await user.clear(delay)
    await user.type(delay, '4')
    await user.click(within(dialog).getByRole('button', { name: 'Compare' }))
    await within(dialog).findByRole('table')
    const rows = within(dialog).getAllByRole('row').slice(1)
    expect(rows.map(({ textContent }) => textContent)).toEqual([
      'web-1Report interval (s)34',
      'web-2Nothing changes',
      'web-3The server does not exist or has not been connected yet',
    ])
    expect(sent).toEqual([])
    await user.click(within(dialog).getByRole('button', { name: 'Send to 1 server' }))
    await within(dialog).findByText('Done for 2 of 3 servers')
    expect(errors()).toContain('not_connected')
    expect(sent).toEqual([{ servers: [1], config: agent(1, { gpu: true, report_delay: 4 }) }])
    expect(
      within(dialog)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual([
      'web-1Accepted: restarts in about 10 s, back about 10 s later',
      'web-2Already set',
      'web-3The server does not exist or has not been connected yet',
    ])
  })

  it('can be retried for the failed servers only', async () => {
    const refuse = [2]
    const { user, sent } = await open({ 1: agent(1), 2: agent(2) }, { refuse })
    await user.click(screen.getByRole('checkbox', { name: 'Select web-1' }))
    await user.click(screen.getByRole('checkbox', { name: 'Select web-2' }))
    await user.click(button('More'))
    await user.click(await screen.findByRole('menuitem', { name: 'Edit config' }))
    await user.click(await screen.findByRole('checkbox', { name: 'Change: Debug log' }))
    await user.click(await screen.findByRole('switch', { name: 'Debug log' }))
    await user.click(button('Compare'))
    await user.click(await screen.findByRole('button', { name: 'Send to 2 servers' }))
    await screen.findByText('The agent did not accept the settings. Try again in half a minute.')
    refuse.length = 0
    await user.click(await screen.findByRole('button', { name: 'Retry for 1 server' }))
    await screen.findByText('Done for 2 of 2 servers')
    const [retried, ...first] = sent.map(({ servers }) => servers).reverse()
    // The first two are sent at the same time, and arrive in any order.
    expect([first.sort(), retried]).toEqual([[[1], [2]], [2]])
    expect(sent.every(({ servers: [id = 0], config }) => config.uuid === `u-${id}` && config.debug === true)).toBe(true)
  })

  it('can be stopped while a server does not answer, whose outcome is then unknown', async () => {
    const hanging = [2]
    const { user } = await open({ 1: agent(1), 2: agent(2) }, { hanging })
    await user.click(screen.getByRole('checkbox', { name: 'Select web-1' }))
    await user.click(screen.getByRole('checkbox', { name: 'Select web-2' }))
    await user.click(button('More'))
    await user.click(await screen.findByRole('menuitem', { name: 'Edit config' }))
    await user.click(await screen.findByRole('checkbox', { name: 'Change: Debug log' }))
    await user.click(await screen.findByRole('switch', { name: 'Debug log' }))
    await user.click(button('Compare'))
    await user.click(await screen.findByRole('button', { name: 'Send to 2 servers' }))
    await screen.findByText(/^1 of 2/)
    await user.click(button('Stop'))
    await screen.findByText('Done for 1 of 2 servers')
    expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'web-1Accepted: restarts in about 10 s, back about 10 s later',
      'web-2Sent, but the server has not answered yet. It may still happen.',
    ])
    hanging.length = 0
    await user.click(await screen.findByRole('button', { name: 'Retry for 1 server' }))
    await screen.findByText('Done for 2 of 2 servers')
  })

  it('needs a selection', async () => {
    const { user } = await open()
    await chooseInView(user, 'Edit config')
    expect(toasts().join()).toContain('No rows are selected')
  })
})

describe('A forced update', () => {
  it('needs a selection, and shows what became of each, until it is back with another version', async () => {
    const { user } = await open()
    await chooseInView(user, 'Force update')
    expect(toasts().join()).toContain('Please select at least one server.')
    await user.click(screen.getByRole('checkbox', { name: 'Select all rows on this page' }))
    await user.click(button('More'))
    await user.click(await screen.findByRole('menuitem', { name: 'Force update' }))
    const dialog = await screen.findByRole('dialog', { name: 'Update the agent of 3 servers now?' })
    await user.click(await within(dialog).findByRole('button', { name: 'Force update' }))
    const items = await within(dialog).findAllByRole('listitem')
    expect(items.map((item) => item.textContent)).toEqual([
      'web-2 Failed: the order was not delivered',
      'web-3 Offline: nothing was sent',
      'web-1 Order delivered; the agent is restarting',
    ])
    act(() => applyEntries([{ id: 1, online: true, seenAt: 1, host: { version: '2.3.4' }, state: {} } as LiveEntry]))
    await within(dialog).findByText('Back with version 2.3.4')
  })
})

describe('Install commands', () => {
  const site = { install_host: 'panel.example.com:8008', tls: true }

  const openInstall = async (options: { setting?: object; profile?: object }) => {
    const { user } = await open({}, options)
    withClipboard()
    await user.click(button('Install agent'))
    const dialog = within(await screen.findByRole('dialog', { name: 'Install agent' }))
    const address = await dialog.findByRole('textbox', { name: 'Address of this server' })
    await waitFor(() => expect(address).toHaveProperty('disabled', false))
    return { user, dialog, address, copy: () => user.click(dialog.getByRole('button', { name: 'Copy command' })) }
  }

  it('are shown without the secret, copied with it, and once by a double click; the button keeps the focus', async () => {
    const { user, dialog, copy } = await openInstall({ setting: site, profile: { agent_secret: 'own' } })
    expect(dialog.getByText(/NZ_SERVER=panel.example.com:8008 NZ_TLS=true NZ_CLIENT_SECRET='•+' /)).toBeTruthy()
    await copy()
    expect(copied.join()).toContain('env NZ_SERVER=panel.example.com:8008 NZ_TLS=true NZ_CLIENT_SECRET=own sh -c')
    const again = dialog.getByRole('button', { name: 'Copy command' })
    await user.dblClick(again)
    expect(copied).toHaveLength(1)
    expect(document.activeElement).toBe(again)
    await user.click(dialog.getByRole('button', { name: 'Windows' }))
    await copy()
    expect(copied.at(-1)).toContain('$env:NZ_CLIENT_SECRET="own";')
    expect(dialog.queryByRole('alert')).toBeNull()
  })

  it('turn switches into variables of the agent', async () => {
    const { user, dialog, copy } = await openInstall({ setting: site, profile: { agent_secret: 'own' } })
    await user.click(dialog.getByRole('button', { name: 'Container' }))
    await user.click(dialog.getByRole('checkbox', { name: 'Disable command execution' }))
    await user.click(dialog.getByRole('checkbox', { name: 'Disable automatic updates' }))
    await user.click(dialog.getByRole('checkbox', { name: 'Connect over TLS' }))
    await copy()
    expect(copied.join()).toContain(
      '--env NZ_TLS=false --env NZ_CLIENT_SECRET=own --env NZ_DISABLE_COMMAND_EXECUTE=true --env NZ_DISABLE_AUTO_UPDATE=true alpine:3',
    )
    expect(dialog.getByRole('alert').textContent).toContain('Without TLS')
  })

  it('have the address of the page on a server that takes agents, with a warning when only this machine reaches it', async () => {
    const setting = { wheelhouse: { agents: true } }
    const { user, dialog, address, copy } = await openInstall({ setting, profile: { agent_secret: 'own' } })
    expect(address).toHaveProperty('value', `localhost:${location.port || 80}`)
    expect(dialog.getAllByRole('alert').map(({ textContent }) => textContent)).toEqual([
      expect.stringContaining('Only this machine can reach a loopback address.'),
      expect.stringContaining('Without TLS'),
    ])
    await user.clear(address)
    await enterText(user, address, 'https://panel.example.com')
    expect(dialog.getByText(/^Enter host and port without/)).toBeTruthy()
    expect(dialog.getByRole('button', { name: 'Copy command' })).toHaveProperty('disabled', true)
    await user.clear(address)
    await enterText(user, address, 'panel.example.com:443')
    expect(dialog.queryByText(/loopback/)).toBeNull()
    await copy()
    expect(copied.join()).toContain('env NZ_SERVER=panel.example.com:443 NZ_TLS=false NZ_CLIENT_SECRET=own')
  })

  it.each([
    ['no address', {}, { agent_secret: 'own' }, 'The Agent docking address has not been filled in in the settings.'],
    ['no secret', site, {}, 'There is no agent secret. Ask an administrator for one.'],
  ])('say what is missing when there is %s', async (_, setting, profile, message) => {
    const { dialog } = await openInstall({ setting, profile })
    expect(dialog.getByText(message)).toBeTruthy()
    expect(dialog.getByRole('button', { name: 'Copy command' })).toHaveProperty('disabled', true)
  })

  it('are beside the agents of deleted servers, which can be let in again', async () => {
    const { user, choose } = await open(
      {},
      { setting: { wheelhouse: { agents: true } }, profile: { agent_secret: 'x' } },
    )
    await choose('web-2', 'Delete')
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: /^Delete/ }))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    await waitFor(() => expect(screen.queryByText('web-2')).toBeNull())
    await user.click(button('Install agent'))
    await screen.findByRole('dialog', { name: 'Install agent' })
    const turnedAway = within(await screen.findByRole('region', { name: 'Turned away: 1' }))
    expect(turnedAway.getByText(/^Deleted .* · no call since the start of the server$/)).toBeTruthy()
    await user.click(turnedAway.getByRole('button', { name: 'Let in web-2' }))
    await waitFor(() => expect(screen.queryByRole('region', { name: /^Turned away/ })).toBeNull())
    expect(toasts().join()).toContain('web-2 is let in.')
  })

  it('fall back to the site’s secret for an admin, and contain the uuid of a known machine', async () => {
    const { user, choose } = await open({}, { setting: { ...site, agent_secret_key: 'global' } })
    withClipboard()
    await choose('web-2', 'Re-install agent')
    expect(await screen.findByText('Unknown OS')).toBeTruthy()
    const copy = await screen.findByRole('button', { name: 'Copy command for macOS' })
    await waitFor(() => expect(copy).toHaveProperty('disabled', false))
    await user.click(copy)
    expect(copied.join()).toContain('NZ_CLIENT_SECRET=global NZ_UUID=u-2 sh -c')
  })

  it('are not offered for the server of somebody else, whose agent would be refused with the own secret', async () => {
    const { choose } = await open({}, { setting: site, profile: { agent_secret: 'own' }, owner: 2 })
    await choose('web-2', 'Re-install agent')
    expect(await screen.findByText(/^This server belongs to .+, and its agent is accepted only with/)).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Copy command for Linux' })).toHaveProperty('disabled', true)
  })
})

describe('The machine of this server', () => {
  it('has no agent that could be installed again', async () => {
    const { user } = await open({}, { more: { runs_server: true } })
    await user.click(button('Actions for web-2'))
    expect(await screen.findByRole('menuitem', { name: 'Edit config' })).toBeTruthy()
    expect(screen.queryByRole('menuitem', { name: 'Re-install agent' })).toBeNull()
  })
})

describe('Deleting a server whose agent runs', () => {
  it.each([
    ['comes back by itself on a Nezha server', undefined, /comes back within 10 s as a new entry/],
    [
      'is turned away on a server that says so',
      { agents: true },
      /turned away until you let it in again under Install/,
    ],
  ])('says that it %s', async (_, wheelhouse, note) => {
    const { choose } = await open({}, { setting: { wheelhouse } })
    await choose('web-2', 'Delete')
    expect(within(await screen.findByRole('alertdialog')).getByText(note)).toBeTruthy()
  })
})
