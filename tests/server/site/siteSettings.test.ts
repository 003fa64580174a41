import { describe, expect, it } from 'vitest'
import { openHistory } from '../../../server/db/history/openHistory.ts'
import { setting } from '../../../src/schemas/settings/setting.ts'
import { signedIn, testServer } from '../../support/server/testServer.ts'

const site = {
  site_name: 'Rack 7',
  custom_code_dashboard: '<i>d</i>',
  install_host: 'agents.example.org:8008',
  tls: true,
  cover: 2,
  ip_change_notification_group_id: 4,
  dns_servers: '',
}

describe('the settings of the site', () => {
  it('show a guest what a login page needs, and no more', async () => {
    const server = await testServer({ site })
    expect((await server.browser().get('setting')).body).toEqual({
      success: true,
      data: {
        config: {
          language: 'en-US',
          site_name: 'Rack 7',
          custom_code_dashboard: '<i>d</i>',
          ip_change_notification_group_id: 0,
          cover: 0,
        },
        tsdb_enabled: true,
        wheelhouse: { version: '1.2.3' },
      },
    })
  })

  it('also show a member where agents connect', async () => {
    const server = await testServer({ site })
    const { body } = await (await signedIn(server, 'member')).get('setting')
    expect(body).toMatchObject({ data: { config: { install_host: 'agents.example.org:8008', tls: true, cover: 0 } } })
    expect(body).not.toHaveProperty('data.version')
    expect(body).not.toHaveProperty('data.config.web_real_ip_header')
  })

  it('say how far charts reach back where that is more than a month', async () => {
    const history = openHistory(':memory:', 400)
    const year = await signedIn(await testServer({ site, history }), 'member')
    expect((await year.get('setting')).body).toMatchObject({ data: { wheelhouse: { history_days: 400 } } })
    const month = await signedIn(await testServer({ site }), 'member')
    expect((await month.get('setting')).body).not.toHaveProperty('data.wheelhouse.history_days')
  })

  it('show an administrator everything that is not empty, and the version', async () => {
    const server = await testServer({ site })
    const { body } = await (await signedIn(server)).get('setting')
    expect(body).toMatchObject({
      data: {
        config: {
          cover: 2,
          ip_change_notification_group_id: 4,
          user_template: 'user-dist',
          web_real_ip_header: 'NZ::Use-Peer-IP',
        },
        version: '1.2.3',
        frontend_templates: [{ path: 'admin-dist', is_admin: true }, { path: 'user-dist' }],
      },
    })
    expect(body).not.toHaveProperty('data.config.dns_servers')
  })

  it('are understood by the console from the first start on', async () => {
    const { body } = await (await signedIn(await testServer())).get('setting')
    const read = setting.parse((body as { data: unknown }).data)
    expect(read.config).toMatchObject({ language: 'en-US', site_name: '' })
  })
})

describe('the profile', () => {
  it('is one’s own, with the agent secret and without the hash of the password', async () => {
    const server = await testServer()
    const [admin, member] = [await signedIn(server), await signedIn(server, 'member')]
    const own = (await admin.get('profile')).body
    expect(own).toEqual({
      success: true,
      data: {
        id: 1,
        created_at: expect.stringMatching(/^2026-11-21T/),
        updated_at: expect.stringMatching(/^2026-11-21T/),
        username: 'admin',
        role: 0,
        agent_secret: expect.stringMatching(/^[\w-]{32}$/),
        login_ip: '127.0.0.1',
      },
    })
    expect((await member.get('profile')).body).toMatchObject({ data: { id: 2, username: 'member', role: 1 } })
    expect((await member.get('profile')).body).not.toMatchObject({
      data: { agent_secret: (own as { data: { agent_secret: string } }).data.agent_secret },
    })
  })
})
