import { describe, expect, it } from 'vitest'
import { addUser, usersIn } from '../../../server/auth/users/users.ts'
import { entities } from '../../../src/schemas/index.ts'
import { receiver } from '../../support/fakes/receiver.ts'
import { providersOf } from '../../support/server/auth/providersFile.ts'
import { enter } from '../../support/server/fixtures/openSession.ts'
import { describedRoutes } from '../../support/server/routes/describedRoutes.ts'
import { addMachine, createRecord, validForm } from '../../support/server/routes/validForm.ts'
import { type TestServer, testServer } from '../../support/server/testServer.ts'

/** Secrets that no reply may contain. */
const planted = {
  'the address of a notifier': 'https://example.org/planted-1',
  'a header of a notifier': 'planted-2',
  'the body of a notifier': 'planted-3',
  'the secret of a DDNS profile': 'planted-4',
  'a header of a DDNS profile': 'planted-5',
  'the secret of an OAuth2 client': 'planted-6',
  'the password of a user': 'planted-7',
}

const provider = {
  client_id: 'public',
  client_secret: planted['the secret of an OAuth2 client'],
  endpoint: { auth_url: 'https://provider.example/a', token_url: 'https://provider.example/t' },
  scopes: ['openid'],
  user_info_url: 'https://provider.example/u',
  user_id_path: 'sub',
}

/** A server whose secrets are all known: two people with records of their own, and a provider. */
async function serverWithSecrets() {
  const server = await testServer({ providers: providersOf({ GitHub: provider }) })
  for (const id of [1, 2]) {
    const machine = addMachine(server, id)
    const person = await enter(server, id)
    await createRecord(person, 'notification', {
      ...validForm('notification'),
      url: planted['the address of a notifier'],
      request_header: JSON.stringify({ authorization: planted['a header of a notifier'] }),
      request_body: planted['the body of a notifier'],
    })
    await createRecord(person, 'ddns', {
      ...validForm('ddns'),
      access_secret: planted['the secret of a DDNS profile'],
      webhook_headers: JSON.stringify({ authorization: planted['a header of a DDNS profile'] }),
    })
    await createRecord(person, 'nat', validForm('nat', { server: machine }))
  }
  const admin = await enter(server, 1)
  await createRecord(admin, 'user', { username: 'third', password: planted['the password of a user'], role: 1 })
  return server
}

/** What the database holds and nobody may see: password hashes, keys, and session keys. */
function storedSecrets({ store }: TestServer): string[] {
  const sessions = store.table<{ id: number; key: string }>({ name: 'session', columns: [] }).all()
  const keys = ['auth.tokenKey', 'auth.csrfKey'].map((name) => store.value<string>(name) ?? '')
  const hashes = usersIn(store).all()
  return [...keys, ...sessions.map(({ key }) => key), ...hashes.map(({ password }) => password)]
}

describe.each([
  ['an administrator', 1],
  ['a member', 2],
  ['a guest', undefined],
] as const)('the replies to %s', (_, userId) => {
  it('contain no secret but the own agent secret', async () => {
    const server = await serverWithSecrets()
    const browser = await enter(server, userId)
    const paths = (await describedRoutes(server))
      .filter(({ method }) => method === 'GET')
      .map(({ path }) => path.replace('{id}', '1').replace('{provider}', 'GitHub').replace('{header}', 'x-a'))
    const agents = usersIn(server.store).all()
    const secrets = [...Object.values(planted), ...storedSecrets(server)]
    const foreign = agents.filter(({ id }) => id !== userId).map(({ agent_secret }) => agent_secret)
    const seen: unknown[] = []
    let read = 0
    for (const path of [...paths, '/api/v1/openapi.json', '/api/v1/oauth2/GitHub?type=1']) {
      const { text } = await browser.get(path)
      read += text.length
      for (const secret of [...secrets, ...foreign]) if (text.includes(secret)) seen.push([path, secret])
    }
    expect(seen).toEqual([])
    expect(secrets.every((secret) => secret.length > 8)).toBe(true)
    expect(read).toBeGreaterThan(1000)
  })

  it('do not contain a secret after a record is saved', async () => {
    const server = await serverWithSecrets()
    const browser = await enter(server, userId)
    for (const name of ['notification', 'ddns'] as const) {
      const form = { ...validForm(name), name: 'renamed', request_body: '', access_secret: '' }
      for (const id of [1, 2]) {
        const { text } = await browser.call('PATCH', `${entities[name].api.path}/${id}`, { body: form })
        expect(text).not.toContain('planted')
      }
    }
  })
})

describe('an agent secret', () => {
  it('is shown to its owner, and to no administrator', async () => {
    const server = await serverWithSecrets()
    const [admin, member] = usersIn(server.store).all()
    const seenBy = async (id: number, path: string) => (await (await enter(server, id)).get(path)).text
    expect(await seenBy(1, 'profile')).toContain(admin?.agent_secret)
    expect(await seenBy(1, 'user')).toContain(admin?.agent_secret)
    expect(await seenBy(1, 'user')).not.toContain(member?.agent_secret)
    expect(await seenBy(2, 'profile')).toContain(member?.agent_secret)
  })
})

describe('A stored secret goes only to the receiver that it was stored for', () => {
  const authorization = 'Bearer planted'
  const isAuthorized = ({ headers }: { headers: { authorization?: string } }) => headers.authorization === authorization

  const plainNotifier = {
    name: 'chat',
    request_method: 2,
    request_type: 1,
    verify_tls: true,
    url: '',
    request_header: '',
    request_body: '',
  }

  /** An administrator's notifier to a receiver, and another administrator. */
  async function withNotifier() {
    const server = await testServer()
    addUser(usersIn(server.store), { username: 'other', password: '', role: 0, now: server.clock.now })
    const [owner, other] = await Promise.all([enter(server, 1), enter(server, 3)])
    const [hers, his] = await Promise.all([receiver(), receiver()])
    await createRecord(owner, 'notification', {
      ...plainNotifier,
      url: `${hers.origin}/hook`,
      request_header: JSON.stringify({ authorization }),
      request_body: '{"key":"planted"}',
    })
    hers.deliveries.length = 0
    const save = (form: object) =>
      other.call('PATCH', 'notification/1', { body: { ...plainNotifier, ...form } }).then(({ text }) => text)
    const stored = () => server.store.table<NotifierTexts>({ name: 'notification', columns: [] }).get(1)
    return { server, owner, other, hers, his, save, stored }
  }

  it('not with another host or port: neither in the test message, nor later, nor in a preview', async () => {
    const { owner, other, hers, his, save, stored } = await withNotifier()
    const form = { id: 1, event: 'test', request_method: 2, url: his.origin }
    const preview = await owner.call('POST', 'wheelhouse/notification/preview', { body: form })
    expect(preview.body).toMatchObject({ data: { headers: [{ name: 'content-type' }], body: '' } })

    expect(await save({ url: his.origin })).toContain('"success":true')
    expect(stored()).toMatchObject({ url: his.origin, request_header: '', request_body: '' })
    await other.call('POST', 'wheelhouse/notification/1/test')
    expect(his.deliveries.map(({ headers, body }) => [headers.authorization, body])).toEqual([
      [undefined, ''],
      [undefined, ''],
    ])
    // Nor is it there again when the address comes back.
    await save({ url: `${hers.origin}/hook` })
    expect(hers.deliveries.some(isAuthorized)).toBe(false)
  })

  it('still with another path, another case of letters, the default port, or no address in the form', async () => {
    const { hers, save } = await withNotifier()
    for (const url of ['', `${hers.origin}/other?a=1`, hers.origin.toUpperCase(), `${hers.origin}/hook`]) {
      expect(await save({ url })).toContain('"success":true')
    }
    expect(hers.deliveries.map(isAuthorized)).toEqual([true, true, true, true])
  })

  it('not without verification of TLS, where it was verified; turning it on keeps it', async () => {
    const { owner, save, stored } = await withNotifier()
    const url = 'https://hooks.example.org/a'
    const secrets = { request_header: JSON.stringify({ authorization }), request_body: 'planted' }
    const verified = { url, ...secrets, skip_check: true }
    await save(verified)
    expect(await save({ verify_tls: true, skip_check: true })).toContain('"success":true')
    expect(stored()).toMatchObject({ url, ...secrets })
    // The address itself may be one of the secrets.
    expect(await save({ verify_tls: false, skip_check: true })).toContain('url: what is stored was given for')
    expect(await save({ url, verify_tls: false, skip_check: true })).toContain('"success":true')
    expect(stored()).toMatchObject({ url, verify_tls: false, request_header: '', request_body: '' })
    await save({ ...verified, verify_tls: false })
    for (const verify_tls of [false, true]) {
      expect(await save({ verify_tls, skip_check: true })).toContain('"success":true')
      expect(stored()).toMatchObject({ url, verify_tls, ...secrets })
    }
    const form = { id: 1, event: 'test', request_method: 2, verify_tls: false }
    const preview = await owner.call('POST', 'wheelhouse/notification/preview', { body: { ...form, url } })
    expect(preview.body).toMatchObject({ data: { headers: [{ name: 'content-type' }], body: '' } })
    // Nobody can be in between more easily than without TLS.
    const plain = { url: 'http://hooks.example.org/a', skip_check: true }
    await save({ ...plain, ...secrets })
    await save({ ...plain, verify_tls: false })
    expect(stored()).toMatchObject({ verify_tls: false, ...secrets })
  })

  it('with what somebody enters again for the new address', async () => {
    const { his, save } = await withNotifier()
    await save({ url: his.origin, request_header: '{"authorization":"Bearer mine"}' })
    expect(his.deliveries.map(({ headers }) => headers.authorization)).toEqual(['Bearer mine'])
  })

  it('a DDNS secret not with another provider or webhook, and with the same one', async () => {
    const server = await testServer()
    const admin = await enter(server, 1)
    const profile = (given: object) => ({ ...validForm('ddns'), access_secret: '', webhook_headers: '', ...given })
    const secrets = { access_secret: 'planted', webhook_headers: '{"authorization":"planted"}' }
    const hook = { provider: 'webhook', webhook_url: 'https://dns.example.org/a' }
    const cloud = { provider: 'cloudflare', webhook_url: '' }
    const keptBetween = async (from: object, to: object) => {
      const id = await createRecord(admin, 'ddns', profile({ ...from, ...secrets }))
      await admin.call('PATCH', `ddns/${id}`, { body: profile(to) })
      const row = server.store.table<typeof secrets & { id: number }>({ name: 'ddns', columns: [] }).get(id)
      return [row?.access_secret, row?.webhook_headers].filter((text) => text !== '').length
    }
    const kept: unknown[] = []
    for (const [from, to] of [
      [hook, { ...hook, webhook_url: 'https://DNS.example.org:443/b' }],
      [cloud, { ...cloud, webhook_url: 'https://unused.example.org/' }],
      [hook, { ...hook, webhook_url: 'https://dns.example.org:8443/a' }],
      [hook, { ...hook, webhook_url: 'http://dns.example.org/a' }],
      [hook, { ...hook, webhook_url: 'https://dns.example.org.other.example/a' }],
      [hook, { ...hook, webhook_url: 'https://dns.example.org#access_id#.other.example/a' }],
      [hook, { ...hook, webhook_url: 'https://dns.example.org@other.example/a' }],
      [cloud, hook],
      [hook, cloud],
    ] as const) {
      kept.push(await keptBetween(from, to))
    }
    expect(kept).toEqual([2, 2, 0, 0, 0, 0, 0, 0, 0])
  })

  it('a configuration file that wants it kept elsewhere is refused, and says which one', async () => {
    const { owner, his, stored } = await withNotifier()
    const change = {
      verb: 'update',
      entity: 'notification',
      name: 'chat',
      id: 1,
      fields: [{ field: 'url', before: 'kept', after: 'kept' }],
      secrets: { url: his.origin },
    }
    const { text } = await owner.call('POST', 'wheelhouse/configuration', { body: { changes: [change] } })
    expect(text).toContain(
      'notification \\"chat\\": request_header, request_body: what is stored was given for another',
    )
    expect(stored()?.request_header).toContain('planted')
    const whole = { ...change.secrets, request_header: '{}', request_body: 'x' }
    const fields = Object.keys(whole).map((field) => ({ field, before: 'kept', after: 'kept' }))
    const again = await owner.call('POST', 'wheelhouse/configuration', {
      body: { changes: [{ ...change, fields, secrets: whole }] },
    })
    expect(again.text).toContain('"success":true')
    expect(stored()).toMatchObject(whole)
  })
})

describe('A stored secret that nobody needs', () => {
  it('goes when a save names it, and no other does', async () => {
    const server = await testServer()
    const admin = await enter(server, 1)
    const secrets = { access_secret: 'planted', webhook_headers: '{"authorization":"planted"}' }
    const form = { ...validForm('ddns'), access_secret: '', webhook_headers: '' }
    await createRecord(admin, 'ddns', { ...form, ...secrets })
    const save = async (given: object) => (await admin.call('PATCH', 'ddns/1', { body: { ...form, ...given } })).text
    const stored = () => server.store.table<{ id: number }>({ name: 'ddns', columns: [] }).get(1)
    const refused = 'clear_secrets: name cannot be cleared: expected access_secret, webhook_headers'
    expect(await save({ clear_secrets: ['access_secret', 'name'] })).toContain(refused)
    expect(await save({ clear_secrets: [] })).toContain('"success":true')
    expect(stored()).toMatchObject(secrets)
    await save({ clear_secrets: ['access_secret'] })
    expect(stored()).toMatchObject({ ...secrets, access_secret: '' })
    expect(stored()).not.toHaveProperty('clear_secrets')
    // What is given counts.
    await save({ webhook_headers: '{"a":"b"}', clear_secrets: ['webhook_headers'] })
    expect(stored()).toMatchObject({ webhook_headers: '{"a":"b"}' })
    expect((await admin.get('wheelhouse/stored-secrets')).body).toMatchObject({
      data: { ddns: { 1: ['webhook_headers'] } },
    })
  })
})

interface NotifierTexts {
  id: number
  url: string
  request_header: string
  request_body: string
}
