import { beforeAll, describe, expect, it } from 'vitest'
import {
  type Attempt,
  blockIdentifiers,
  blockReasons,
  type FailureRow,
} from '../../../server/auth/blocking/blockRules.ts'
import { hashPassword } from '../../../server/auth/passwords/password.ts'
import { addUser, usersIn } from '../../../server/auth/users/users.ts'
import type { Person } from '../../../server/person.ts'
import { admin, type DataApp, dataApp, member } from '../../support/console/dataApp.ts'
import { type Exchange, named, readRecording, replay, timeless } from '../../support/recorded/recording.ts'

describe('exchanges about users recorded with a real server are answered the same', () => {
  let data: DataApp
  beforeAll(async () => {
    data = await dataApp()
    const hash = await hashPassword('any password')
    addUser(usersIn(data.store), { username: 'admin', password: hash, role: 0, now: Date.now() })
  })

  /** Nobody sees somebody else's agent secret here. */
  const comparable = (body: unknown) =>
    JSON.parse(JSON.stringify(timeless(body)), (key, value) => (key === 'agent_secret' ? undefined : value))

  const exchanges = readRecording('user').filter(({ request }) => request.path !== '/api/v1/login')
  /** A password needs 8 characters here, where real servers take 6. */
  const departures: Record<string, unknown> = {
    'create short password': { error: 'the new password is too short: it needs at least 8 characters' },
  }
  it.each(named(exchanges))('%s', async (name, one) => {
    const { request } = one
    const longer = { ...request, body: { ...(request.body as object), password: '12345678' } }
    const reply = await replay(data, name === 'create password of 6' ? { ...one, request: longer } : one)
    expect(reply.status).toBe(one.response.status)
    // Unknown paths are answered by the whole server, not by this part.
    if (reply.status === 404) return
    expect(comparable(reply.body)).toEqual(comparable(departures[name] ?? one.response.body))
  })

  it('an administrator sees only the own agent secret', async () => {
    const { body } = await data.call('GET', 'user')
    const secrets = (body as { data: { agent_secret?: string }[] }).data.map(({ agent_secret }) =>
      Boolean(agent_secret),
    )
    expect(secrets).toEqual([true, false])
  })
})

interface Window {
  value?: Record<string, unknown>[]
  pagination: { offset?: number; total?: number }
}

/** All rows behind a recorded page: those on it, with others before and after them. */
function rowsBehind<Row>({ response }: Exchange, other: (at: number) => Row): (Record<string, unknown> | Row)[] {
  const { value = [], pagination } = (response.body as { data: Window }).data
  const { offset = 0, total = 0 } = pagination
  const before = Math.min(offset, total)
  const after = total - before - value.length
  return [
    ...Array.from({ length: before }, (_, at) => other(-1 - at)),
    ...value,
    ...Array.from({ length: after }, (_, at) => other(1 + at)),
  ]
}

const isPage = ({ request, response }: Exchange) =>
  request.method === 'GET' && /^\/api\/v1\/(waf|online-user)\?/.test(request.path) && response.status === 200

const isBatch = ({ request, response }: Exchange) => /batch-/.test(request.path) && response.status === 200

describe('pages of blocked addresses recorded with a real server are answered the same', () => {
  it.each(named(readRecording('waf').filter(isPage)))('%s', async (_, one) => {
    const clock = { now: 0 }
    const data = await dataApp({ now: () => clock.now })
    const { waf } = data.app.auth
    // Two days before and after the recording, and not so old that they are forgotten.
    const other = (at: number) => ({
      ip: '192.0.2.77',
      block_identifier: 1000 + at,
      count: 1,
      block_timestamp: 1_795_300_000 - Math.sign(at) * 200_000 - at,
    })
    // The list begins with the latest row.
    for (const row of rowsBehind(one, other).reverse() as FailureRow[]) {
      const { ip, block_identifier = 0, block_reason = 1, block_timestamp, count } = row
      clock.now = block_timestamp * 1000
      if (block_identifier === blockIdentifiers.byAdmin) waf.block(ip)
      else for (let n = 0; n < count; n++) waf.recordFailure(ip, attemptAt(block_identifier, block_reason))
    }
    const { status, body } = await replay(data, one)
    expect(status).toBe(200)
    expect(orderedBySecond(body)).toEqual(orderedBySecond(one.response.body))
  })

  function attemptAt(identifier: number, reason: number): Attempt {
    if (identifier === blockIdentifiers.agent) return { kind: 'agent' }
    if (identifier === blockIdentifiers.token) {
      return { kind: reason === blockReasons.oauth2Attack ? 'oauth2' : 'api-token' }
    }
    return { kind: 'sign-in', account: identifier > 0 ? identifier : '' }
  }

  /** The order within a second means nothing. */
  function orderedBySecond(body: unknown) {
    const page = JSON.parse(JSON.stringify(body)) as { data: { value?: FailureRow[] } }
    // Beside what real servers send, this one says when a block ends.
    for (const row of page.data.value ?? []) delete (row as { blocked_until?: number }).blocked_until
    page.data.value?.sort((a, b) => b.block_timestamp - a.block_timestamp || a.ip.localeCompare(b.ip))
    return page
  }

  it.each(named(readRecording('waf').filter(isBatch)))('%s', async (_, one) => {
    expect(await replay(await dataApp(), one)).toEqual({ status: 200, body: one.response.body })
  })
})

describe('exchanges about online users recorded with a real server are answered the same', () => {
  it.each(named(readRecording('online-user').filter(isPage)))('%s', async (_, one) => {
    const data = await dataApp()
    const other = () => ({ ip: '192.0.2.77', connected_at: '2026-11-21T00:00:00Z' })
    for (const { ip, connected_at, user_id } of rowsBehind(one, other) as Record<string, unknown>[]) {
      const person = user_id ? ({ id: user_id, username: 'x', role: 1 } as Person) : undefined
      data.online.add({ person, address: String(ip), connectedAt: String(connected_at), disconnect: () => {} })
    }
    expect(await replay(data, one)).toEqual({ status: 200, body: one.response.body })
  })

  it.each(named(readRecording('online-user').filter(isBatch)))('%s', async (_, one) => {
    expect(await replay(await dataApp(), one)).toEqual({ status: 200, body: one.response.body })
  })
})

describe('members', () => {
  it.each([
    ['GET', 'user'],
    ['GET', 'waf'],
    ['GET', 'online-user'],
    ['POST', 'user', { username: 'q', password: '12345678', role: 0 }],
    ['POST', 'batch-delete/user', [1]],
    ['POST', 'batch-delete/waf', ['127.0.0.9']],
    ['POST', 'online-user/batch-block', ['127.0.0.9']],
  ])('are refused %s %s', async (method, path, body?: unknown) => {
    const { call } = await dataApp()
    expect((await call(method, path, body, member)).body).toEqual({ error: 'permission denied' })
    expect((await call(method, path, body, admin)).body).not.toEqual({ error: 'permission denied' })
  })
})
