import { describe, expect, it, vi } from 'vitest'
import { retried } from '../../../../server/services/checks/probeResult.ts'
import { httpCheck } from '../../../../src/schemas/checks/http.ts'
import type { Browser } from '../../../support/console/browser.ts'
import { startRawServer } from '../../../support/fakes/rawServer.ts'
import { receiver } from '../../../support/fakes/receiver.ts'
import { checkFixture } from '../../../support/server/fixtures/checkFixture.ts'
import { serviceFixture } from '../../../support/server/fixtures/serviceFixture.ts'
import { signedIn } from '../../../support/server/testServer.ts'

const form = (fields: object = {}) => ({
  name: 'shop',
  type: 1,
  target: 'http://shop.example/',
  duration: 30,
  cover: 0,
  notification_group_id: 0,
  skip_servers: {},
  ...fields,
})

const check = {
  kind: 'http',
  headers: { 'X-Token': 'token-of-tests', Accept: 'text/plain' },
  body: 'secret body',
  auth: { kind: 'basic', user: 'watch', password: 'secret' },
  codes: '200',
}

async function create(browser: Browser, fields: object): Promise<number> {
  const { body } = await browser.call('POST', 'service', { body: form(fields) })
  expect(body).toMatchObject({ success: true })
  return (body as { data: number }).data
}

async function read(browser: Browser, id: number): Promise<Record<string, unknown>> {
  const { body } = await browser.get(`service/list?id=${id}`)
  const rows = (body as { data: Record<string, unknown>[] }).data
  return rows.find((row) => row.id === id) ?? {}
}

describe('a saved check', () => {
  it('is read with its defaults, and without its secrets', async () => {
    const { browser } = await checkFixture()
    const row = await read(browser, await create(browser, { check }))
    expect(row).toMatchObject({
      type: 1,
      target: 'http://shop.example/',
      check: {
        kind: 'http',
        method: 'GET',
        codes: '200',
        headers: { 'X-Token': '', Accept: '' },
        body: '',
        auth: { kind: 'basic', user: 'watch', password: '' },
        json: [],
        max_redirects: 10,
        verify_tls: true,
      },
    })
    expect(JSON.stringify(row)).not.toContain('secret')
  })

  it('tells clients who do not know checks what comes closest', async () => {
    const { browser } = await checkFixture()
    const id = await create(browser, { type: 1, target: 'mail.example:993', check: { kind: 'tls' } })
    expect(await read(browser, id)).toMatchObject({ type: 3, target: 'mail.example:993' })
  })

  it('stays when such a client saves the service, and ends when somebody says so', async () => {
    const { browser } = await checkFixture()
    const id = await create(browser, { check })
    await browser.call('PATCH', `service/${id}`, { body: form({ name: 'renamed' }) })
    expect(await read(browser, id)).toMatchObject({ name: 'renamed', check: { codes: '200' } })
    await browser.call('PATCH', `service/${id}`, { body: form({ check: null }) })
    expect(await read(browser, id)).toMatchObject({ check: null })
  })

  it('keeps its secrets while they go to the same receiver, and only then', async () => {
    const seen: (string | undefined)[] = []
    const { origin } = await receiver((reply, { headers }) => {
      seen.push(String(headers['x-token']))
      reply.end()
    })
    const { browser, attempt } = await checkFixture()
    const id = await create(browser, { target: origin, check })
    const concealed = (await read(browser, id)).check as object
    await attempt({ id, target: `${origin}/other`, check: concealed })
    await browser.call('PATCH', `service/${id}`, {
      body: form({ target: origin, check: { ...concealed, codes: '201' } }),
    })
    await attempt({ id, target: origin, check: (await read(browser, id)).check })
    // A service of the same id at another address: the token is not sent there.
    await attempt({ id, target: origin.replace('127.0.0.1', 'localhost'), check: concealed })
    expect(seen).toEqual(['token-of-tests', 'token-of-tests', ''])
  })

  it('keeps no secret of TLS for a connection without it', async () => {
    const seen: string[] = []
    const { port } = await startRawServer((socket) =>
      socket.on('data', (bytes) => {
        seen.push(String(bytes))
        socket.write('+PONG\r\n')
      }),
    )
    const { browser, attempt } = await checkFixture()
    for (const verify_tls of [true, false]) {
      const redis = { kind: 'redis', tls: true, verify_tls, password: 'token-of-tests' }
      const target = `127.0.0.1:${port}`
      const id = await create(browser, { type: 3, target, check: redis })
      const plain = { ...redis, tls: false, password: '' }
      await attempt({ id, target, check: plain })
      await browser.call('PATCH', `service/${id}`, { body: form({ type: 3, target, check: plain }) })
      await attempt({ id, target, check: (await read(browser, id)).check })
    }
    expect(seen.join()).toContain('PING')
    expect(seen.join()).not.toContain('AUTH')
  })

  it('is in the history of changes without its secrets', async () => {
    const { browser } = await checkFixture()
    const id = await create(browser, { check })
    const changed = { ...check, headers: { ...check.headers, 'X-Token': 'another-token' } }
    await browser.call('PATCH', `service/${id}`, { body: form({ check: changed }) })
    const { text } = await browser.get('changes?entity=service')
    expect(text).toContain('"check"')
    expect(text).not.toMatch(/token-of-tests|another-token|secret body/)
  })

  it('of a member cannot reach private addresses, and no request is sent', async () => {
    const { origin, deliveries } = await receiver()
    const { server, host } = await checkFixture()
    const member = await signedIn(server, 'member')
    const body = { server_id: 1, target: origin, check: { kind: 'http' } }
    const foreign = await member.call('POST', 'wheelhouse/checks/try', { body })
    expect(foreign.body).toMatchObject({ error: 'server id 1 does not exist' })
    await expect(
      host.dial('127.0.0.1', Number(new URL(origin).port), { allowPrivate: false, signal: AbortSignal.timeout(1000) }),
    ).rejects.toThrow('ALLOW_PRIVATE_TARGETS=true')
    expect(deliveries).toEqual([])
  })
})

describe('a service with a check', () => {
  it('is down with its reason when a rule is broken twice, and up again', async () => {
    let text = 'all is well'
    const { origin } = await receiver((reply) => reply.end(text))
    const { add, pass, services, notifications } = await serviceFixture()
    const id = add({
      name: 'shop',
      type: 1,
      target: origin,
      check: httpCheck.schema.parse({ kind: 'http', contains: 'well' }),
      notify: true,
      notification_group_id: 1,
    })
    await pass(35)
    expect(services.checker.statusOf(id)).toBe('up')
    text = 'maintenance'
    await pass(70)
    expect(services.checker.statusOf(id)).toBe('down')
    expect(services.checker.problemOf(id)).toBe('“well” is missing in the answer')
    expect(notifications.map(({ message }) => message)).toEqual([
      '[Down] shop: “well” is missing in the answer (seen from web-1)',
    ])
  })
})

describe('retries', () => {
  const numbers = { outcome: 'down', problem: 'no' } as const
  const signal = new AbortController().signal

  it('end with the first check that succeeds', async () => {
    const results = [numbers, numbers, { outcome: 'up', delay: 1 } as const, numbers]
    const work = vi.fn(async () => results[work.mock.calls.length - 1])
    expect(await retried(work, { retries: 5, pauseMs: 1, signal })).toEqual({ outcome: 'up', delay: 1 })
    expect(work).toHaveBeenCalledTimes(3)
  })

  it('end with the last of them, and nothing is repeated that could not be checked', async () => {
    const failing = vi.fn(async () => numbers)
    expect(await retried(failing, { retries: 2, pauseMs: 1, signal })).toEqual(numbers)
    expect(failing).toHaveBeenCalledTimes(3)
    const forbidden = vi.fn(async () => ({ outcome: 'not permitted', problem: '' }) as const)
    await retried(forbidden, { retries: 2, pauseMs: 1, signal })
    expect(forbidden).toHaveBeenCalledTimes(1)
  })

  it('are numbers within bounds, and stay when a client leaves them out', async () => {
    const { browser } = await checkFixture()
    const id = await create(browser, { check, retries: 3, retry_pause: 20, duration: 10 })
    await browser.call('PATCH', `service/${id}`, { body: form() })
    expect(await read(browser, id)).toMatchObject({ retries: 3, retry_pause: 20 })
    const tooMany = await browser.call('PATCH', `service/${id}`, { body: form({ retries: 6 }) })
    expect(tooMany.body).toMatchObject({ error: 'retries must be at most 5' })
    const tooOften = await browser.call('PATCH', `service/${id}`, { body: form({ duration: 5 }) })
    expect(tooOften.body).toMatchObject({ error: 'duration must be from 10 to 86400 seconds with a check' })
  })
})
