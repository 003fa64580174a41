import { screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import type { FastifyInstance } from 'fastify'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { groupingOf } from '../../../src/engine/kinds/reference/ReferencePicker.tsx'
import { entities } from '../../../src/schemas/index.ts'
import { alterReplies } from '../../support/console/alterReplies.ts'
import { enterText } from '../../support/console/enterText.ts'
import { button, columnTexts } from '../../support/console/listPage.ts'
import { renderConsole } from '../../support/console/renderConsole.tsx'

/** The site's settings, with some of them changed. */
const settings = (config: object) =>
  alterReplies('setting', (data) => {
    const setting = data as { config: object }
    return { ...setting, config: { ...setting.config, ...config } }
  })

const servers = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ name: `web-${index + 1}`, uuid: `u-${index + 1}` }))

describe('A deletion', () => {
  it('lists first what still refers to the record, and nothing for records without references', async () => {
    const { user } = await renderConsole({
      path: '/dashboard/notification-group',
      records: {
        'notification-group': [{ name: 'On call' }, { name: 'Nobody' }],
        cron: [
          { name: 'Backup', scheduler: '@daily', notification_group_id: 1 },
          { name: 'Other', scheduler: '@daily', notification_group_id: 0 },
        ],
        service: [{ name: 'Shop', target: 'https://example.com', type: 1, notification_group_id: 1 }],
      },
    })
    const ask = async (name: string) => {
      await user.click(await screen.findByRole('button', { name: `Actions for ${name}` }))
      await user.click(await screen.findByRole('menuitem', { name: 'Delete' }))
      return screen.findByRole('alertdialog', { name: `Delete “${name}”?` })
    }
    const used = await ask('On call')
    await within(used).findByText('Task: Backup')
    expect(within(used).getByText('Service: Shop')).toBeTruthy()
    await user.click(within(used).getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    const unused = await ask('Nobody')
    expect(within(unused).queryByText('Still in use by:')).toBeNull()
  })

  it('finds references in id sets as well', async () => {
    const { user } = await renderConsole({
      records: {
        server: servers(1),
        service: [{ name: 'Shop', target: 'https://example.com', type: 1, skip_servers: { 1: true } }],
      },
    })
    await user.click(await screen.findByRole('button', { name: 'Actions for web-1' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Delete' }))
    await screen.findByText('Service: Shop')
  })
})

describe('An id in a field that is not a reference', () => {
  const askToDelete = async (user: UserEvent, name: string) => {
    await user.click(await screen.findByRole('button', { name: `Actions for ${name}` }))
    await user.click(await screen.findByRole('menuitem', { name: 'Delete' }))
    return within(await screen.findByRole('alertdialog', { name: `Delete “${name}”?` }))
  }

  it('is found in the text of alert rules and in the settings when a server goes', async () => {
    const rule = (server: number) => [{ type: 'cpu', max: 95, duration: 10, cover: 0, ignore: { [server]: true } }]
    const { user } = await renderConsole({
      records: {
        server: servers(2),
        'alert-rule': [
          { name: 'All but web-1', rules: rule(1) },
          { name: 'All but web-2', rules: rule(2) },
        ],
      },
      prepare: settings({ ignored_ip_notification: '7, 1' }),
    })
    const first = await askToDelete(user, 'web-1')
    await first.findByText('Alert rule: All but web-1')
    await first.findByText('Settings: specific servers for IP changes')
    await user.click(first.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    const second = await askToDelete(user, 'web-2')
    await second.findByText('Alert rule: All but web-2')
    expect(second.queryByText(/^Settings/)).toBeNull()
  })

  it('is found among the domains of servers when a DDNS profile goes', async () => {
    const { user } = await renderConsole({
      path: '/dashboard/ddns',
      records: {
        ddns: [{ name: 'Home', provider: 'dummy', max_retries: 3 }],
        server: [
          { name: 'web-1', uuid: 'u-1', override_ddns_domains: { 1: ['a.example.com'] } },
          { name: 'web-2', uuid: 'u-2', ddns_profiles: [1] },
          { name: 'web-3', uuid: 'u-3' },
        ],
      },
    })
    await (await askToDelete(user, 'Home')).findByText('Servers: web-1, web-2')
  })

  it('is found in the settings when a notifier group goes', async () => {
    const { user } = await renderConsole({
      path: '/dashboard/notification-group',
      records: { 'notification-group': [{ name: 'On call' }] },
      prepare: settings({ ip_change_notification_group_id: 1 }),
    })
    await (await askToDelete(user, 'On call')).findByText('Settings: notifier group for IP changes')
  })
})

describe('A duplicate', () => {
  it('starts with the values of the original, and is a record of its own', async () => {
    const { user, storedRows } = await renderConsole({
      path: '/dashboard/server-group',
      records: { server: servers(2), 'server-group': [{ name: 'Web', servers: [1, 2] }] },
    })
    await user.click(await screen.findByRole('button', { name: 'Actions for Web' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Duplicate' }))
    expect(await screen.findByRole('textbox', { name: 'Name' })).toHaveProperty('value', 'Web (copy)')
    await user.click(button('Save'))
    await waitFor(() => expect(columnTexts(2)).toEqual(['Web', 'Web (copy)']))
    expect(storedRows('server-group')[1]).toMatchObject({ id: 2, servers: [1, 2] })
  })

  it('asks again for what the server hides, and is not created without', async () => {
    const { user, network } = await renderConsole({
      path: '/dashboard/notification',
      records: { notification: [{ name: 'Chat', url: 'https://example.com/hook', request_header: '{"X":"y"}' }] },
    })
    await user.click(await screen.findByRole('button', { name: 'Actions for Chat' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Duplicate' }))
    const url = await screen.findByRole('textbox', { name: /^URL/ })
    expect(url).toHaveProperty('value', '')
    expect(screen.getAllByText(/Not copied, because it is hidden/).length).toBeGreaterThan(1)
    await user.click(button('Save'))
    await screen.findByText('Required')
    expect(network.sent.filter(({ method }) => method !== 'GET')).toEqual([])
  })

  it('is created without a hidden secret only when somebody chooses so', async () => {
    const { user, network, storedRows } = await renderConsole({
      path: '/dashboard/ddns',
      records: {
        ddns: [{ name: 'Home', provider: 'cloudflare', max_retries: 3, access_id: 'me', access_secret: 'hush' }],
      },
    })
    await user.click(await screen.findByRole('button', { name: 'Actions for Home' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Duplicate' }))
    await screen.findByRole('textbox', { name: 'Name' })
    await user.click(button('Save'))
    await screen.findByText('Enter it again, or tick that the copy is created without it')
    // Only of the sections that are shown: a webhook has secrets of its own.
    const boxes = screen.getAllByRole('checkbox', { name: /^Create without/ })
    expect(boxes).toHaveLength(1)
    expect(network.sent.filter(({ method }) => method !== 'GET')).toEqual([])

    await user.click(boxes[0] as HTMLElement)
    expect(screen.queryByText(/^Enter it again/)).toBeNull()
    await user.click(button('Save'))
    await waitFor(() => expect(storedRows('ddns')).toHaveLength(2))
    expect(storedRows('ddns')[1]).toMatchObject({ name: 'Home (copy)', access_id: 'me' })
    expect(storedRows('ddns')[1]?.access_secret || '').toBe('')
  })

  it('is created with the secret that is entered again', async () => {
    const { user, storedRows } = await renderConsole({
      path: '/dashboard/ddns',
      records: { ddns: [{ name: 'Home', provider: 'cloudflare', max_retries: 3, access_secret: 'hush' }] },
    })
    await user.click(await screen.findByRole('button', { name: 'Actions for Home' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Duplicate' }))
    await enterText(user, await screen.findByLabelText(/^Access secret/i), 'new one')
    expect(screen.queryByRole('checkbox', { name: /^Create without/ })).toBeNull()
    await user.click(button('Save'))
    await waitFor(() => expect(storedRows('ddns')).toHaveLength(2))
    expect(storedRows('ddns')[1]).toMatchObject({ access_secret: 'new one' })
  })
})

describe('A picker', () => {
  it('offers "By group" only where there are groups of what it picks', () => {
    const groupings = Object.keys(entities).map((name) => [name, groupingOf(name)])
    expect(groupings.filter(([, grouping]) => grouping)).toEqual([
      ['server', { entity: 'server-group', members: 'servers' }],
      ['notification', { entity: 'notification-group', members: 'notifications' }],
    ])
  })

  it('of tasks offers all, and no services as groups', async () => {
    const trigger = { name: 'Restart', task_type: 1, command: 'restart' }
    await renderConsole({
      path: '/dashboard/service/1',
      records: {
        cron: [trigger],
        service: [{ name: 'Site', target: 'https://example.com', type: 1, fail_trigger_tasks: [1] }],
      },
    })
    await screen.findAllByRole('button', { name: 'All 1' })
    expect(screen.queryByRole('button', { name: 'By group' })).toBeNull()
  })
})

describe('A server picker', () => {
  const openGroup = (count: number, members: number[], prepare?: (app: FastifyInstance) => void) =>
    renderConsole({
      path: '/dashboard/server-group/1',
      prepare,
      records: {
        server: servers(count),
        'server-group': [
          { name: 'Chosen', servers: members },
          { name: 'Edge', servers: [2, 3] },
        ],
      },
    })
  const picker = () => screen.findByRole('combobox', { name: /^Servers/ })

  it('selects all of a group or all servers, and says in words what is selected', async () => {
    const { user } = await openGroup(5, [1])
    await screen.findByText('1 of 5 chosen')
    await user.click(await screen.findByRole('button', { name: 'By group' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Edge (2)' }))
    await screen.findByText('3 of 5 chosen')
    await user.click(button('All 5'))
    await screen.findByText('5 of 5 chosen')
  })

  it('marks an id that does not exist, and lets it be removed', async () => {
    const { user, storedRows } = await openGroup(2, [1, 17])
    const chip = (await screen.findByText('#17, deleted')).closest('.MuiChip-root') as HTMLElement
    await user.click(within(chip).getByTestId('CancelIcon'))
    await waitFor(() => expect(screen.queryByText('#17, deleted')).toBeNull())
    await user.click(button('Save'))
    await waitFor(() => expect(storedRows('server-group')[0]).toMatchObject({ servers: [1] }))
  })

  it('offers every server that matches, however many, and draws those in sight', async () => {
    // jsdom has no layout: a list without height shows nothing.
    const height = vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(360)
    onTestFinished(() => height.mockRestore())
    const { user, storedRows } = await openGroup(300, [])
    await user.click(await picker())
    const options = await screen.findAllByRole('option')
    expect(options.length).toBeLessThan(60)
    expect(options.map((option) => option.getAttribute('aria-setsize'))).toContain('300')
    await user.keyboard('{ArrowUp}{Enter}')
    await screen.findByText('1 of 300 chosen')
    await user.keyboard('wéb-17')
    await waitFor(() => expect(screen.getAllByRole('option').map((option) => option.textContent)).toContain('web-177'))
    await user.click(screen.getByRole('option', { name: 'web-177' }))
    await user.keyboard('{Escape}')
    await user.click(button('Save'))
    await waitFor(() => expect(storedRows('server-group')[0]).toMatchObject({ servers: [177, 300] }))
  })

  it('removes what is picked a second time, also beyond the names that it shows', async () => {
    const { user, storedRows } = await openGroup(40, [])
    await user.click(await screen.findByRole('button', { name: 'All 40' }))
    await user.click(await picker())
    const last = await screen.findByRole('option', { name: 'web-40', selected: true })
    await user.click(last)
    await screen.findByText('39 of 40 chosen')
    await user.keyboard('{Escape}')
    await user.click(button('Save'))
    await waitFor(() => expect(storedRows('server-group')[0]?.servers).toHaveLength(39))
    expect(storedRows('server-group')[0]?.servers).not.toContain(40)
  })

  it('matches 200 pasted names, and reports the unknown ones', async () => {
    const { user } = await openGroup(250, [])
    await user.click(await picker())
    const names = servers(200).map(({ name }) => name)
    await user.paste([...names, 'web-999'].join('\n'))
    await screen.findByText('200 of 250 chosen')
    expect(screen.getByText('Not found: web-999')).toBeTruthy()
    expect(screen.getByText('+ 180 more')).toBeTruthy()
  })

  it('takes names that are pasted before the servers are there', async () => {
    const answer = Promise.withResolvers<void>()
    const prepare = (app: FastifyInstance) => {
      app.addHook('onSend', async ({ url }) => {
        if (url.startsWith('/api/v1/server?') || url === '/api/v1/server') await answer.promise
      })
    }
    const { user } = await openGroup(5, [], prepare)
    await user.click(await picker())
    await user.paste('web-1\nweb-2\nweb-999')
    expect(screen.queryByText(/Not found/)).toBeNull()
    answer.resolve()
    await screen.findByText('2 of 5 chosen')
    expect(screen.getByText('Not found: web-999')).toBeTruthy()
  })
})
