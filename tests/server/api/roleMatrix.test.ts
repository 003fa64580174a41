import { beforeAll, describe, expect, it } from 'vitest'
import type { Right } from '../../../src/schemas/define/access.ts'
import { entities } from '../../../src/schemas/index.ts'
import type { Reply } from '../../support/console/browser.ts'
import { programWith } from '../../support/server/auth/apiToken.ts'
import { enter } from '../../support/server/fixtures/openSession.ts'
import { type Persona, personas, type RoleServer, roleServer } from '../../support/server/fixtures/roleFixture.ts'
import { mcpProgram, mcpServer } from '../../support/server/mcpServer.ts'
import { type DescribedRoute, describedRoutes } from '../../support/server/routes/describedRoutes.ts'
import { bodyFor, isEnd, pathFor } from '../../support/server/routes/everyCall.ts'
import { creatable, validForm } from '../../support/server/routes/validForm.ts'
import { testServer } from '../../support/server/testServer.ts'

/**
 * What a further role adds to a call, on the server of its scope: the rights that it takes, `nothing`, or `self` for what
 * is about the account of the caller and about no server. Every call of the server, by hand: what is in no row is a
 * mistake.
 */
type Place = 'nothing' | 'self' | readonly Right[]

const see: Place = ['see']
const act: Place = ['act']
const configure: Place = ['configure']

const places: Record<string, Place> = {
  'GET server': see,
  'PATCH server/{id}': configure,
  'POST batch-delete/server': 'nothing',
  'GET server-group': see,
  'GET service': see,
  'GET service/list': see,
  'GET service/server': see,
  'GET service/{id}/history': see,
  'GET server/{id}/service': see,
  'GET server/{id}/metrics': see,
  'GET wheelhouse/service/{id}/outages': see,
  'GET wheelhouse/service/{id}/details': see,
  'GET wheelhouse/last-hour': see,
  'GET wheelhouse/alarms': see,
  'GET wheelhouse/trouble': see,
  'GET wheelhouse/silences': see,
  'GET wheelhouse/incidents': see,
  'GET wheelhouse/incidents/{id}': see,
  'POST wheelhouse/incidents/{id}/acknowledge': act,
  'POST wheelhouse/incidents/{id}/unacknowledge': act,
  'POST wheelhouse/incidents/{id}/note': act,
  'POST wheelhouse/incidents/{id}/resolve': act,
  'POST wheelhouse/mutes': act,
  'GET wheelhouse/alarms/{id}/snapshot': act,
  'GET wheelhouse/conditions': act,
  'GET server/{id}/runs': see,
  'GET cron/{id}/runs': see,
  'GET wheelhouse/task-runs/{id}': act,
  'GET cron': act,
  'POST cron/{id}/manual': act,
  'POST terminal': act,
  'POST file': act,
  'POST force-update/server': act,
  'GET server/config/{id}': configure,
  'POST server/config': ['configure', 'act'],
  'POST api-tokens': see,
  'PATCH wheelhouse/users/{id}/roles': ['people'],
  'GET wheelhouse/roles': 'self',
  // One's own teams.
  'GET wheelhouse/teams': 'self',
  'POST wheelhouse/teams': ['people'],
  'PATCH wheelhouse/teams/{id}': ['people'],
  'DELETE wheelhouse/teams/{id}': ['people'],
  'PATCH wheelhouse/teams/{id}/roles': ['people'],
  'GET setting': 'nothing',
  'POST login': 'self',
  'GET oauth2/{provider}': 'self',
  'POST oauth2/{provider}/unbind': 'self',
  'GET refresh-token': 'self',
  'POST refresh-token': 'self',
  'GET profile': 'self',
  'POST profile': 'self',
  'POST profile/agent-secret': 'self',
  'GET api-tokens': 'self',
  'DELETE api-tokens/{id}': 'self',
  'GET ddns/providers': 'nothing',
  'GET wheelhouse/ddns': 'nothing',
  'GET transfer': 'nothing',
  'GET changes': 'nothing',
  'GET user': 'nothing',
  'POST user': 'nothing',
  'POST batch-delete/user': 'nothing',
  'GET waf': 'nothing',
  'POST batch-delete/waf': 'nothing',
  'GET online-user': 'nothing',
  'POST online-user/batch-block': 'nothing',
  'PATCH setting': 'nothing',
  'POST batch-move/server': 'nothing',
  'POST transfer/{id}/cancel': 'nothing',
  'POST transfer/{id}/retry': 'nothing',
}

/** Rows for calls whose place follows from their path; one of `places` comes first. */
const patterns: readonly (readonly [RegExp, Place])[] = [
  // To look into a machine is to work on it.
  [/^\w+ wheelhouse\/servers\/\{id\}\/(processes|containers|units|logs|disks|network|packages|hardware|files)\b/, act],
  [/^\w+ wheelhouse\/(sign-in-providers|only-providers)\b/, 'nothing'],
  [/^\w+ wheelhouse\/(sessions|logout|sign-in|reauthentication|second-factor|invitations\/(read|accept))\b/, 'self'],
  [/^POST wheelhouse\/questions(\/command)?$/, act],
  [/^\w+ wheelhouse\/(profile|terminals|shared-terminals|recordings|snippets|push|file-transfers|questions)\b/, 'self'],
  [/^\w+ wheelhouse\/(invitations|users|roles|imports|import-files|security|audit|cluster|address)\b/, 'nothing'],
  [
    /^\w+ wheelhouse\/(agents|configuration|stored-secrets|deliveries|traffic|costs|contract-\w+|status|checks)\b/,
    'nothing',
  ],
  [/^\w+ wheelhouse\/(nat|ddns|notification|alert-rule|rotas)\//, 'nothing'],
]

/** Records of one's own: a role shows and changes none, but where a row says so. */
const ownRecords = creatable.flatMap((name) => {
  const { path, listPath } = entities[name].api
  return [`GET ${listPath}`, `POST ${path}`, `PATCH ${path}/{id}`, `POST batch-delete/${path}`]
})

const placeOf = ({ name }: DescribedRoute): Place | undefined =>
  places[name] ??
  patterns.find(([pattern]) => pattern.test(name))?.[1] ??
  (ownRecords.includes(name) ? 'nothing' : undefined)

/** Calls that need the machine: it is there for them alone, as tests run on this one. */
const needMachine = ['POST terminal', 'POST file', 'POST force-update/server']

function bodyOn(route: DescribedRoute, { other }: RoleServer): unknown {
  if (route.name === 'POST wheelhouse/teams')
    return { name: 'new', servers: [1], roles: [{ role: 'viewer', scope: 'team' }] }
  if (route.name === 'PATCH wheelhouse/teams/{id}') return { name: 'known', users: [other], servers: [1] }
  if (/^PATCH wheelhouse\/(users|teams)\/\{id\}\/roles$/.test(route.name)) {
    return { roles: [{ role: 'viewer', scope: { servers: [1] } }] }
  }
  if (route.name === 'POST api-tokens') return { name: 'one', scopes: ['nezha:inventory:read'], server_ids: [1] }
  const created = creatable.find((name) => route.name === `POST ${entities[name].api.path}`)
  return created ? validForm(created, { text: 'another', server: 1 }) : bodyFor(route)
}

function pathOn(route: DescribedRoute, { other }: RoleServer): string {
  if (route.name === 'PATCH wheelhouse/users/{id}/roles') return `wheelhouse/users/${other}/roles`
  const query: Record<string, string> = {
    'GET wheelhouse/last-hour': '?metric=cpu&ids=1',
    'GET server/{id}/metrics': '?metric=cpu',
    // Its own account is in it otherwise.
    'GET changes': '?entity=server',
  }
  return pathFor(route) + (query[route.name] ?? '')
}

const isRefusal = (text: string) => /permission denied|does not exist|not found|unauthorized/.test(text)

/** An answer without what differs from call to call. */
function comparable({ status, body, text }: Reply): string {
  const { data } = (body ?? {}) as { data?: unknown }
  const known = text
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'at')
    .replaceAll(/"\d+":"(plain|with-role)"/g, 'oneself')
    // Who is in a team is told that there are some, and the names of theirs.
    .replace(',"teams":true', '')
    .replace(/"team":\{[^}]*\}/, '"team":{}')
  return typeof data === 'number' ? `${status} an id` : `${status} ${known}`
}

let routes: DescribedRoute[]
beforeAll(async () => {
  routes = await describedRoutes(await testServer())
  routes.sort((one, other) => rank(one) - rank(other))
})

/** Reading comes first, deletions last. */
const rank = (route: DescribedRoute) =>
  route.method === 'GET' ? 0 : isEnd(route) || route.name === 'DELETE wheelhouse/teams/{id}' ? 2 : 1

const isAllowed = ({ rights }: Persona, place: Place) =>
  typeof place !== 'string' && place.every((right) => rights.includes(right))

describe('every call of the server', () => {
  it('has a place: what a role adds to it', () => {
    expect(routes.length).toBeGreaterThan(100)
    expect(routes.filter((route) => placeOf(route) === undefined).map(({ name }) => name)).toEqual([])
    const names = new Set(routes.map(({ name }) => name))
    expect(Object.keys(places).filter((name) => !names.has(name))).toEqual([])
  })

  it.each(personas)('gives $name what their rights say, and is else as for a member without roles', async (persona) => {
    const server = await roleServer(persona)
    const wrong: unknown[] = []
    for (const route of routes) {
      const place = placeOf(route) as Place
      if (place === 'self') continue
      const ask = async (userId: number) =>
        (await enter(server, userId)).call(route.method, pathOn(route, server), { body: bodyOn(route, server) })
      if (needMachine.includes(route.name)) server.host.report({ at: new Date(server.clock.now) })
      const [plain, reply] = [await ask(server.plain), await ask(server.withRole)]
      if (needMachine.includes(route.name)) server.host.disconnect()
      const isOther = comparable(plain) !== comparable(reply)
      const expected = isAllowed(persona, place)
      // Who sees something may be told that they may not change it, where others hear that it is not there.
      const isWrong = expected
        ? !isOther || isRefusal(reply.text)
        : isOther && !(isRefusal(reply.text) && persona.rights.includes('see'))
      if (isWrong)
        wrong.push([
          route.name,
          expected ? 'should be allowed' : 'should be as for others',
          plain.text.slice(0, 300),
          reply.text.slice(0, 300),
        ])
    }
    expect(wrong).toEqual([])
  })
})

/** What a role adds to the sockets; what each does with it is in the tests of their features. */
const socketPlaces: Record<string, Place> = {
  // tests/server/machines/liveSession.test.ts
  'api/v1/ws/server': see,
  'api/v1/ws/wheelhouse/servers': see,
  // tests/server/sessions/roleSessions.test.ts
  'api/v1/ws/terminal/:id': act,
  'api/v1/ws/file/:id': act,
  // tests/server/sessions/sharedTerminals.test.ts
  'api/v1/ws/shared-terminal/:id': act,
  'api/v1/ws/transfer': 'nothing',
  // What visitors see, whoever looks.
  'api/v1/ws/status': 'nothing',
}

it('every socket has a place: what a role adds to it', async () => {
  const { app } = await testServer()
  await app.ready()
  const found = [...app.printRoutes({ commonPrefix: false }).matchAll(/api\/v1\/ws\/\S+/g)].map(([path]) => path)
  expect(found.toSorted()).toEqual(Object.keys(socketPlaces).toSorted())
})

/** What a role adds to the tools that mirror no list. */
const toolPlaces: Record<string, Place> = {
  'meta.whoami': 'self',
  'server.list': see,
  'server.get': see,
  'server.exec': act,
  'server.inspect': act,
  'alarm.snapshot': act,
  'server.logs': act,
  'server.ask': act,
  'process.signal': act,
  'process.priority': act,
  'container.act': act,
  'unit.act': act,
  'fs.list': act,
  'fs.read': act,
  'fs.write': act,
  'fs.delete': act,
  'fs.mkdir': act,
  'fs.move': act,
  'fs.copy': act,
  'fs.rights': act,
  'fs.download_url': act,
  'fs.upload_url': act,
}

/** The tools of an entity ask its list. */
function placeOfTool(name: string): Place | undefined {
  const [, entity = ''] = /^(.+)\.(?:list|get)$/.exec(name) ?? []
  const mirrored = Object.values(entities).find((one) => one.name === entity)
  return toolPlaces[name] ?? (mirrored && (places[`GET ${mirrored.api.listPath}`] ?? 'nothing'))
}

const toolArguments: Record<string, unknown> = {
  cmd: 'true',
  path: '/none',
  from: '/none',
  to: '/nothing',
  content: 'x',
  subject: 'processes',
  pid: 4242,
  signal: 'TERM',
  nice: 0,
  container: 'none',
  engine: 'docker',
  act: 'restart',
  unit: 'none',
  mode: '600',
  paths: ['/none'],
  alarm_id: 1,
  kind: 'process',
  text: 'none',
  server_ids: [1],
  server_id: 1,
  id: 1,
}

interface ListedTool {
  name: string
  inputSchema: { properties: Record<string, { type?: string }> }
}

async function toolsOf(server: Parameters<typeof mcpProgram>[0]): Promise<ListedTool[]> {
  const { body } = await mcpProgram(server).post({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  return (body as { result: { tools: ListedTool[] } }).result.tools
}

describe('every tool', () => {
  it('has a place: what a role adds to it', async () => {
    const tools = await toolsOf(await mcpServer())
    expect(tools.filter(({ name }) => placeOfTool(name) === undefined).map(({ name }) => name)).toEqual([])
    expect(Object.keys(toolPlaces).filter((name) => !tools.some((tool) => tool.name === name))).toEqual([])
  })

  it.each(personas)('gives $name what their rights say, with a token that may do everything', async (persona) => {
    const server = await roleServer(persona)
    const wrong: unknown[] = []
    for (const { name, inputSchema } of await toolsOf(server)) {
      const place = placeOfTool(name) as Place
      if (place === 'self') continue
      const given = Object.entries(inputSchema.properties).flatMap(([key, { type }]) => {
        const value = toolArguments[key]
        return value === undefined ? [] : [[key, type === 'string' ? String(value) : value]]
      })
      const ask = async (user_id: number) => {
        const { content } = await mcpProgram(server, { user_id }).tool(name, Object.fromEntries(given))
        return content[0].text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'at')
      }
      const [plain, answer] = [await ask(server.plain), await ask(server.withRole)]
      const expected = isAllowed(persona, place)
      if (expected ? plain === answer || isRefusal(answer) : plain !== answer)
        wrong.push([name, expected, plain, answer])
    }
    expect(wrong).toEqual([])
  })
})

describe('a token of somebody with a role', () => {
  it('may do less than its person, never more', async () => {
    const [viewer, operator] = personas as unknown as readonly [Persona, Persona]
    const server = await roleServer(operator)
    const user_id = server.withRole
    const reader = programWith(server, { user_id, scopes: ['nezha:inventory:read'] })
    expect((await reader.get('server')).body).toMatchObject({ data: [{ id: 1 }] })
    expect((await reader.call('POST', 'terminal', { server_id: 1 })).status).toBe(403)
    const elsewhere = programWith(server, { user_id, server_ids: [2] })
    expect((await elsewhere.get('server')).body).toEqual({ success: true })
    const whole = programWith(server, { user_id })
    server.host.report({ at: new Date(server.clock.now) })
    expect((await whole.call('POST', 'terminal', { server_id: 1 })).body).toMatchObject({ success: true })
    server.app.auth.roles.assign(user_id, [{ role: 'viewer', scope: viewer.scope }])
    expect((await whole.call('POST', 'terminal', { server_id: 1 })).body).toEqual({ error: 'permission denied' })
    server.app.auth.roles.assign(user_id, [])
    expect((await whole.get('server')).body).toEqual({ success: true })
  })
})
