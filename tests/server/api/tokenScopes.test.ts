import { beforeAll, describe, expect, it } from 'vitest'
import { referencesOf } from '../../../src/schemas/define/describe.ts'
import type { Entity } from '../../../src/schemas/define/entity.ts'
import { tokenScopes } from '../../../src/schemas/grantableScopes.ts'
import { type EntityName, entities } from '../../../src/schemas/index.ts'
import { type Program, programWith } from '../../support/server/auth/apiToken.ts'
import { enter } from '../../support/server/fixtures/openSession.ts'
import { type DescribedRoute, describedRoutes } from '../../support/server/routes/describedRoutes.ts'
import { adminsServer, bodyFor, isEnd, pathFor } from '../../support/server/routes/everyCall.ts'
import { addMachine, validForm } from '../../support/server/routes/validForm.ts'
import { type TestServer, testServer } from '../../support/server/testServer.ts'

const forbidden = (reason: string) => ({ error: `ApiErrorForbidden: ${reason}` })
const notForTokens = forbidden('this endpoint is not accessible by api token')

/** Every scope of a single action, and that of administrators. */
const scopes = [...tokenScopes.filter((scope) => !scope.endsWith('*')), 'nezha:admin:*']

/** What tokens may not reach: the own account, how people sign in, and what would give a token more rights. */
const closed = [
  /^\w+ (profile|api-tokens|refresh-token|login$|oauth2)/,
  /^\w+ wheelhouse\/(profile|sessions|logout|sign-in|only-providers|reauthentication|second-factor|push|agents\/own|invitations\/(read|accept))/,
  /^GET setting$/,
]

let routes: DescribedRoute[]
let open: DescribedRoute[]
beforeAll(async () => {
  routes = (await describedRoutes(await testServer())).toSorted(
    (one, other) => Number(isEnd(one)) - Number(isEnd(other)),
  )
  open = routes.filter(({ scopes }) => scopes)
})

/** Calls each of them with a token of its own. @returns the names of those that were answered otherwise */
async function answeredOtherwise(
  server: TestServer,
  called: readonly DescribedRoute[],
  makeProgram: (route: DescribedRoute) => Program,
  isExpected: (reply: { status: number; body: unknown }, route: DescribedRoute) => boolean,
): Promise<unknown[]> {
  const wrong: unknown[] = []
  for (const route of called) {
    const program = makeProgram(route)
    const reply = await program.call(route.method, pathFor(route), bodyFor(route))
    server.app.auth.apiTokens.remove(program.id)
    if (!isExpected(reply, route)) wrong.push([route.name, reply.status, reply.text])
  }
  return wrong
}

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
/** The machine is offline here, which a call says to whom it lets in. */
const isLetIn = (status: number, body: unknown) =>
  status < 400 || status === 503 || (status === 404 && / does not exist"/.test(JSON.stringify(body)))
const missing = (scope: string | undefined) => forbidden(`api token lacks scope ${scope}`)

describe('a call of the server', () => {
  it('says in openapi.json which scopes a token needs, unless it is about the own account', () => {
    const silent = routes.filter(({ scopes }) => !scopes).map(({ name }) => name)
    expect(silent.filter((name) => !closed.some((pattern) => pattern.test(name)))).toEqual([])
    expect(open.filter(({ name }) => closed.some((pattern) => pattern.test(name)))).toEqual([])
    expect(open.length).toBeGreaterThan(60)
    const unknown = open.flatMap((route) => route.scopes ?? []).filter((scope) => !scopes.includes(scope))
    expect(unknown).toEqual([])
  })

  it('is answered to a token with its scopes, and with those alone', async () => {
    const server = await adminsServer()
    const wrong = await answeredOtherwise(
      server,
      open,
      (route) => programWith(server, { scopes: [...(route.scopes ?? [])] }),
      ({ status, body }) => isLetIn(status, body) && !/ApiError/.test(JSON.stringify(body)),
    )
    expect(wrong).toEqual([])
  })

  it('is refused to a token with every other scope, in the words of the contract', async () => {
    const server = await adminsServer()
    for (const position of [0, 1, 2]) {
      const withThat = open.filter((route) => route.scopes?.[position])
      const wrong = await answeredOtherwise(
        server,
        withThat,
        (route) => programWith(server, { scopes: scopes.filter((scope) => scope !== route.scopes?.[position]) }),
        ({ status, body }, route) => status === 403 && same(body, missing(route.scopes?.[position])),
      )
      expect(wrong).toEqual([])
    }
  })

  it('is answered to a token with all actions of the area, and with everything', async () => {
    for (const granted of [(scope: string) => scope.replace(/[^:]+$/, '*'), () => 'nezha:*']) {
      const server = await adminsServer()
      const wrong = await answeredOtherwise(
        server,
        open,
        (route) => programWith(server, { scopes: (route.scopes ?? []).map(granted) }),
        ({ status, body }) => isLetIn(status, body),
      )
      expect(wrong).toEqual([])
    }
  })

  it('is refused to every token when it says no scope; where everybody may call, tokens are not looked at', async () => {
    const server = await adminsServer()
    const isPublic = ({ name }: DescribedRoute) =>
      /^\w+ (login|setting|oauth2\/\S+|wheelhouse\/(sign-in(\/\S*)?|invitations\/\w+))$/.test(name)
    const silent = routes.filter(({ name, scopes }) => !scopes && !/callback|unbind/.test(name))
    const wrong = await answeredOtherwise(
      server,
      silent,
      () => programWith(server, { scopes: ['nezha:*'] }),
      ({ status, body }, route) => (isPublic(route) ? status === 200 : status === 403 && same(body, notForTokens)),
    )
    expect(wrong).toEqual([])
  })
})

describe('a token that is limited to a server', () => {
  /** The record 1 of everything is about machine 1, and forms that are sent name the machine 2. */
  async function limitedServer() {
    const server = await adminsServer()
    addMachine(server, 1, { name: 'machine', uuid: 'uuid of 2' })
    const allowed = addMachine(server, 1, { name: 'allowed', uuid: 'uuid of allowed' })
    const limited = () => programWith(server, { scopes: ['nezha:*'], server_ids: [allowed] })
    return { server, allowed, limited }
  }

  const isAboutAnother = (text: string) =>
    /uuid of [12]|"machine"|"server_ids?":\[?[12]\b|"servers":\[[12]\b|"(skip_servers|ignore)":{"[12]"/.test(text)

  it('finds nothing of another in any list or reply, where a token without limits does', async () => {
    const { server, limited } = await limitedServer()
    const gets = open.filter(({ method }) => method === 'GET')
    const found = { limited: [] as string[], unlimited: [] as string[] }
    for (const route of gets) {
      if (isAboutAnother((await limited().get(pathFor(route))).text)) found.limited.push(route.name)
      if (isAboutAnother((await programWith(server, {}).get(pathFor(route))).text)) found.unlimited.push(route.name)
    }
    expect(found.limited).toEqual([])
    expect(found.unlimited.length).toBeGreaterThan(5)
    expect((await limited().get('server')).body).toMatchObject({ data: [{ name: 'allowed' }] })
  })

  it('changes nothing of another by any call, and orders nothing from it', async () => {
    const { server, limited } = await limitedServer()
    const before = recordsOf(server)
    const writes = open.filter(({ method }) => method !== 'GET')
    const answered: unknown[] = []
    for (const route of writes) {
      const { text } = await limited().call(route.method, pathFor(route), bodyFor(route))
      if (!refusal.test(text)) answered.push([route.name, text])
    }
    expect(writes.length).toBeGreaterThan(30)
    expect(answered).toEqual([])
    expect(recordsOf(server)).toEqual(before)
  })

  it('neither reads nor changes notifiers and their groups, which hear of all servers', async () => {
    const { limited } = await limitedServer()
    const aboutNotifiers = open.filter(({ path }) => /\/(notification|deliveries|delivery)\b/.test(path))
    const answered: unknown[] = []
    for (const route of aboutNotifiers) {
      const { text } = await limited().call(route.method, pathFor(route), bodyFor(route))
      if (!text.includes('limited to servers')) answered.push([route.name, text])
    }
    expect(answered).toEqual([])
    expect(aboutNotifiers.length).toBeGreaterThan(10)
  })

  it.each([
    ['cron', { cover: 0, servers: [3] }, { cover: 1, servers: [1] }],
    ['service', { cover: 1, skip_servers: { 3: true } }, { cover: 0, skip_servers: { 1: true } }],
    ['server-group', { servers: [3] }, { servers: [1, 3] }],
    ['nat', { server_id: 3, domain: 'allowed.example.org' }, { server_id: 1, domain: 'other.example.org' }],
  ])('makes a %s for its server, and none that reaches others', async (path, own, others) => {
    const { limited } = await limitedServer()
    const form = { name: 'mine', task_type: 0, scheduler: '0 0 3 * * *', command: 'true', type: 3, target: 'a:1' }
    const full = { ...form, host: '10.0.0.1:80' }
    expect((await limited().call('POST', path, { ...full, ...own })).body).toMatchObject({ success: true })
    expect((await limited().call('POST', path, { ...full, ...others })).body).toEqual({ error: 'permission denied' })
  })
})

describe('a token that names a task in what triggers it', () => {
  it.each([
    ['alert-rule', 'nezha:alertrule:write'],
    ['service', 'nezha:service:write'],
  ] as const)('as in a %s, needs the scope to run it', async (name, scope) => {
    const server = await adminsServer()
    const { api } = entities[name]
    const program = programWith(server, { scopes: [scope] })
    const body = { ...validForm(name), fail_trigger_tasks: [1] }
    const needed = forbidden('api token lacks scope nezha:cron:exec')
    for (const [method, path] of [
      ['POST', api.path],
      ['PATCH', `${api.path}/1`],
    ] as const) {
      expect((await program.call(method, path, body)).body).toEqual(needed)
      const runner = programWith(server, { scopes: [scope, 'nezha:cron:exec'] })
      expect((await runner.call(method, path, body)).body).toMatchObject({ success: true })
    }
    // What triggers the task is changed, not which.
    expect((await program.call('PATCH', `${api.path}/1`, { ...body, name: 'other' })).body).toEqual(needed)
    expect((await program.call('PATCH', `${api.path}/1`, validForm(name))).body).toMatchObject({ success: true })
  })
})

describe('a token that names what does not exist yet', () => {
  const later = 999
  /** By entity and field: what names that id. Sessions may save it, as on real servers. */
  const namings: Partial<Record<EntityName, Record<string, unknown>>> = {
    cron: { servers: [later] },
    service: {
      depends_on: [later],
      depends_on_services: [later],
      fail_trigger_tasks: [later],
      recover_trigger_tasks: [later],
      skip_servers: { [later]: true },
    },
    'alert-rule': {
      rules: [{ type: 'offline', duration: 10, cover: 1, ignore: { [later]: true } }],
      fail_trigger_tasks: [later],
      recover_trigger_tasks: [later],
    },
    server: {
      depends_on: [later],
      depends_on_services: [later],
      ddns_profiles: [later],
      override_ddns_domains: { [later]: ['a.example.org'] },
    },
  }
  const cases = Object.entries(namings).flatMap(([name, fields]) =>
    Object.entries(fields).map(([field, value]) => [name as EntityName, field, value] as const),
  )

  it('is shown below in all references that sessions may save before their record exists', () => {
    const accepted = Object.values(entities).flatMap((entity: Entity) =>
      referencesOf(entity).flatMap(({ field, unknown }) => (unknown === 'accepted' ? [`${entity.name} ${field}`] : [])),
    )
    expect(cases.map(([name, field]) => `${name} ${field}`).toSorted()).toEqual(accepted.toSorted())
  })

  it.each(cases)('is refused, as in a %s with %s; a session is not', async (name, field, value) => {
    const server = await adminsServer()
    const path = `${entities[name].api.path}/1`
    const body = { ...validForm(name), ...(name === 'service' && { cover: 1 }), [field]: value }
    const { to } = referencesOf(entities[name]).find((reference) => reference.field === field) as { to: string }
    const { body: refused } = await programWith(server, {}).call('PATCH', path, body)
    expect(refused).toEqual({ error: expect.stringMatching(`(${to}|profile) id ${later} does not exist$`) })
    const browser = await enter(server, 1)
    expect((await browser.call('PATCH', path, { body })).body).toMatchObject({ success: true })
    // What is there already does not keep a token from changing the rest.
    const change = await programWith(server, {}).call('PATCH', path, { ...body, name: 'x' })
    expect(change.body).toMatchObject({ success: true })
  })
})

/** How a call is refused, or says that it knows no such server. */
const refusal =
  /permission.denied|ApiErrorForbidden|"unauthorized"|not found|database error|"offline":\[1\]|"error":"have invalid|not shared with you/

const recordsOf = ({ store }: TestServer) =>
  ['server', 'server-group', 'cron', 'service', 'nat', 'alert-rule', 'ddns', 'user', 'server-share'].map((name) =>
    store.table({ name, columns: [{ name: 'updated_at', type: 'TEXT' }] }).all(),
  )
