// @vitest-environment jsdom
import type { HttpError } from 'ra-core'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { call, request } from '../../../src/api/apiClient.ts'
import { saveSetting } from '../../../src/custom/settings/saveSetting.ts'
import { createDataProvider } from '../../../src/dataProvider.ts'
import { createQueryClient } from '../../../src/records/queryClient.ts'
import { profile } from '../../../src/schemas/account/profile.ts'
import { cron } from '../../../src/schemas/cron.ts'
import { describeField } from '../../../src/schemas/define/describe.ts'
import { installSecret } from '../../../src/schemas/endpoints/agentSecretEndpoints.ts'
import { endpoints } from '../../../src/schemas/endpoints/index.ts'
import { nezhaEndpoints } from '../../../src/schemas/endpoints/nezhaEndpoints.ts'
import { nat } from '../../../src/schemas/nat.ts'
import { notification } from '../../../src/schemas/notification.ts'
import { server } from '../../../src/schemas/server.ts'
import { service } from '../../../src/schemas/service.ts'
import { setting } from '../../../src/schemas/settings/setting.ts'
import { siteSetting } from '../../../src/schemas/settings/siteSetting.ts'
import { userFromProfile } from '../../../src/session/currentUser.ts'
import { startSession } from '../../../src/session/sessionGate.ts'
import { clearSessionCookies } from '../../../src/session/token.ts'
import { calls, failure, fakeServer, type SentCall, setCookie } from '../../support/fakes/fakeServer.ts'
import { dialects, listsOf, recordedOf } from '../../support/recorded/dialects.ts'

afterEach(clearSessionCookies)

const provider = () => createDataProvider(createQueryClient())
const all = { pagination: { page: 1, perPage: 50 }, sort: { field: 'id', order: 'ASC' as const }, filter: {} }
const bodyOf = (requests: readonly SentCall[], verb: string) =>
  requests.find(({ call: name }) => name.startsWith(verb))?.body as Record<string, unknown>
const grant = { token: 't', expire: '2026-11-21T01:00:00Z' }

/** Rows as a dialect's own recordings have them. */
const rows = (dialect: (typeof dialects)[number], route: string) =>
  listsOf(recordedOf(dialect), route).find((list) => list.length > 0) ?? []

/** Renames the first record of a recorded list, and tells what went on the wire. */
async function rename(dialect: (typeof dialects)[number], name: string, route = name) {
  const [first] = rows(dialect, route)
  const requests = fakeServer({ [`GET ${route}`]: () => [first], [`PATCH ${name}/${first?.id}`]: () => null })
  const { data } = await provider().getOne(name, { id: first?.id as number })
  await provider().update(name, { id: data.id, data: { name: 'new' }, previousData: data })
  return { sent: first ?? {}, body: bodyOf(requests, 'PATCH') }
}

describe('Rows 1 to 5: verbs and the CSRF pair', () => {
  it.each([
    [1, 'opens files', endpoints.openFile, { id: 1 }, 'file?id=1', { session_id: 's' }],
    [2, 'runs a task', endpoints.runCron, { id: 1 }, 'cron/1/manual', null],
    [3, 'renews a session', endpoints.refreshToken, undefined, 'refresh-token', grant],
  ] as const)(
    'row %i: %s by POST where there is a CSRF cookie and by GET where there is none',
    async (_row, _what, endpoint, input, path, reply) => {
      const requests = fakeServer({ [`GET ${path}`]: () => reply, [`POST ${path}`]: () => reply })
      const ask = () => call(endpoint as typeof endpoints.runCron, input as { id: number })
      await ask()
      setCookie('nz-csrf', 'proof')
      await ask()
      expect(calls(requests)).toEqual([`GET ${path}`, `POST ${path}`])
    },
  )

  it('row 4: the cookie is a hint only: a 404 is tried in the other verb, which is remembered until it fails', async () => {
    vi.resetModules()
    const fresh = await import('../../../src/api/apiClient.ts')
    setCookie('nz-csrf', 'of another server at this address')
    let verb = 'GET'
    const requests = fakeServer({
      'GET cron/1/manual': () => (verb === 'GET' ? null : failure('404 Not Found', 404)),
      'POST cron/1/manual': () => (verb === 'POST' ? null : failure('404 Not Found', 404)),
    })
    const run = () => fresh.call(endpoints.runCron, { id: 1 })
    const verbs = () => calls(requests).flatMap((one) => (one.endsWith('/manual') ? one.split(' ')[0] : []))
    await run()
    await run()
    expect(verbs()).toEqual(['POST', 'GET', 'GET'])
    verb = 'POST'
    await run()
    await run()
    expect(verbs()).toEqual(['POST', 'GET', 'GET', 'GET', 'POST', 'POST'])
  })

  it('row 5: the pair is sent whenever the cookie is there', async () => {
    const requests = fakeServer({ 'POST nat': () => 1 })
    await request('POST', 'nat', { body: {} })
    setCookie('nz-csrf', 'proof')
    await request('POST', 'nat', { body: {} })
    expect(requests.map(({ headers }) => headers.get('x-csrf-token'))).toEqual([null, 'proof'])
  })
})

describe('Rows 6, 21 and 22: settings', () => {
  const saved = async (config: Record<string, unknown>) => {
    const requests = fakeServer({
      'GET profile': () => ({ id: 1 }),
      'GET setting': () => ({ config }),
      'PATCH setting': () => null,
    })
    await saveSetting(call, config, { site_name: 'Bridge' })
    return bodyOf(requests, 'PATCH')
  }

  it.each(['real_ip_header', 'web_real_ip_header'])(
    'row 6: the header that a server calls %s is sent back under both names',
    async (key) => {
      const body = await saved({ language: 'it', site_name: 'Deck', [key]: 'X-Real-IP' })
      expect(body).toMatchObject({ real_ip_header: 'X-Real-IP', web_real_ip_header: 'X-Real-IP' })
      expect(siteSetting.api.row?.parse({ [key]: 'X-Real-IP' })).toMatchObject({ web_real_ip_header: 'X-Real-IP' })
    },
  )

  it('rows 21 and 22: everything goes back, what this console does not know too', async () => {
    const config = { language: 'it', site_name: 'Deck', dns_servers: '1.1.1.1', from_tomorrow: { kept: [1] } }
    expect(await saved(config)).toEqual({ ...config, site_name: 'Bridge', real_ip_header: '', web_real_ip_header: '' })
    expect(setting.parse({ config, tsdb_enabled: true, more: 1 })).toMatchObject({
      config,
      tsdb_enabled: true,
      more: 1,
    })
  })
})

describe('Rows 7 to 9: people', () => {
  it('row 7: an agent registers with the secret of the site where administrators get one, else with that of the user', () => {
    const site = setting.parse({ config: { agent_secret_key: 'of the site' } })
    const person = (role?: number) => profile.parse({ id: 1, role, agent_secret: 'own' })
    expect(installSecret(site, person())).toBe('of the site')
    expect(installSecret(site, person(1))).toBe('own')
    expect(installSecret(setting.parse({ config: {} }), person(0))).toBe('own')
  })

  it('row 8: who has no role is an administrator, in the profile and in the list', async () => {
    expect(profile.parse({ id: 1 }).role).toBe(0)
    const people = rows('v1.10.8', 'user')
    expect(people.map(({ role }) => role)).toEqual([undefined, 1, undefined])
    fakeServer({ 'GET user': () => people })
    const { data } = await provider().getList('user', all)
    expect(data.map(({ role }) => role)).toEqual([0, 1, 0])
  })

  it('row 9: the hash of a password is kept nowhere', () => {
    const old = { id: 1, username: 'admin', password: '$2a$10$hash', agent_secret: 's' }
    expect(JSON.stringify([profile.parse(old), userFromProfile(old)])).not.toContain('hash')
  })
})

describe('Rows 10 to 13: what is hidden, and what was renamed', () => {
  it.each(dialects)('rows 10 and 11: a notifier of %s keeps address, header and body', async (dialect) => {
    const { sent, body } = await rename(dialect, 'notification')
    const { id: _, created_at: __, updated_at: ___, ...rest } = sent
    expect(body).toEqual({ ...rest, name: 'new' })
    expect(describeField(notification, 'url')?.concealedBy).toBe('url')
  })

  it.each(dialects)('row 12: a DDNS profile of %s keeps its secrets', async (dialect) => {
    const { sent, body } = await rename(dialect, 'ddns')
    expect([body.access_secret, body.webhook_headers]).toEqual([sent.access_secret, sent.webhook_headers])
    expect(dialect === 'current' ? 'access_secret' in body : !body.access_secret).toBe(false)
  })

  it.each([
    [{ enable_show_in_service: true }, false],
    [{}, true],
    [{ hide_for_guest: true, display_index: 0 }, true],
    [{ display_index: 0 }, undefined],
  ])('row 13: a service that comes with %o is hidden: %s', (row, isHidden) => {
    const read = service.api.row?.parse(row) as { hide_for_guest?: boolean } | undefined
    expect(read).toBeDefined()
    expect(read?.hide_for_guest).toBe(isHidden)
  })

  it('row 13: both spellings are sent', () => {
    expect(service.api.send?.({ hide_for_guest: true })).toEqual({
      hide_for_guest: true,
      enable_show_in_service: false,
    })
  })
})

describe('Rows 14 to 20: what is refused or missing', () => {
  it.each(['waf', 'online-user'])(
    'row 14: "permission denied" for %s is reported and ends no session',
    async (name) => {
      setCookie('nz-jwt', 'token')
      fakeServer({ [`GET ${name}?offset=0&limit=50`]: () => failure('permission denied') })
      const refused = (await provider()
        .getList(name, all)
        .catch((error) => error)) as HttpError
      expect([refused.message, refused.status]).toEqual(['permission denied', 200])
      expect(document.cookie).toContain('nz-jwt')
    },
  )

  it('row 15: a session that is refused, for another address or any reason, is over', async () => {
    setCookie('nz-jwt', 'token')
    let isOver = true
    fakeServer({ 'GET nat': () => (isOver ? failure('ApiErrorUnauthorized') : []) })
    const asked = request('GET', 'nat')
    await vi.waitFor(() => expect(document.cookie).not.toContain('nz-jwt'))
    isOver = false
    startSession({ id: 1, fullName: 'admin', role: 0 })
    expect(await asked).toEqual([])
  })

  it.each(dialects)(
    'rows 16, 20 and 24: a server of %s is read with or without version, owner and addresses',
    (dialect) => {
      const [row] = rows(dialect, 'server')
      const read = server.computed.parse(row)
      expect(read.host?.version).toBeUndefined()
      expect(read.owner === undefined).toBe(dialect !== 'current')
      expect(read.geoip?.ip).toBeTypeOf('object')
    },
  )

  it.each([
    ['a task with coverage 3', cron.form, { name: 'x', task_type: 1, cover: 3, servers: [] }],
    ['a service of type 4', service.form, { name: 'x', type: 4, target: 'x' }],
    ['a NAT profile of server 0', nat.form, { name: 'x', server_id: 0, host: 'a:1', domain: 'a.example' }],
  ])('row 17: %s, which old servers take, is refused here', (_what, form, value) => {
    expect(form.safeParse(value).success).toBe(false)
  })

  it('row 19: what only newer servers have is called by nothing but calls that are hidden after a 404', () => {
    const late = Object.values(nezhaEndpoints).map(({ path }) => path.split('/')[0])
    expect([...new Set(late)].sort()).toEqual(['api-tokens', 'batch-move', 'transfer'])
    const everywhere = Object.values(endpoints).map(({ path }) => path.split('/')[0] ?? '')
    expect(everywhere.filter((path) => late.includes(path))).toEqual([])
  })
})

describe('Rows 23, 25 and 26: frames, pages and test messages', () => {
  it('row 25: pages travel as offset and limit', async () => {
    const requests = fakeServer({ 'GET waf?offset=20&limit=10': () => ({ pagination: { limit: 10 } }) })
    await provider().getList('waf', { ...all, pagination: { page: 3, perPage: 10 } })
    expect(calls(requests)).toEqual(['GET waf?offset=20&limit=10'])
  })

  it('row 26: a notifier whose test message a server will not send can be saved without one', async () => {
    const requests = fakeServer({
      'POST notification': ({ body }) =>
        (body as { skip_check?: boolean }).skip_check ? 1 : failure('HTTP URL target is not allowed'),
    })
    const data = { name: 'n', url: 'http://10.0.0.1/hook' }
    await expect(provider().create('notification', { data })).rejects.toThrow('HTTP URL target is not allowed')
    await provider().create('notification', { data: { ...data, skip_check: true } })
    expect(requests).toHaveLength(2)
  })
})
