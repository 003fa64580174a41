import { describe, expect, it } from 'vitest'
import { usersIn } from '../../../server/auth/users/users.ts'
import { entities } from '../../../src/schemas/index.ts'
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
