import fastify from 'fastify'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { answerRepeatedRequests } from '../../../server/http/repeatedRequests.ts'
import type { Browser } from '../../support/console/browser.ts'
import { programWith } from '../../support/server/auth/apiToken.ts'
import { enter } from '../../support/server/fixtures/openSession.ts'
import { testServer } from '../../support/server/testServer.ts'

const id = { 'idempotency-key': '1-2-3-4' }
const make = (browser: Browser, headers: Record<string, string> = id, name = 'web') =>
  browser.call('POST', 'server-group', { body: { name, servers: [] }, headers })

async function groupsOf(browser: Browser): Promise<number> {
  const { body } = await browser.get('server-group')
  return (body as { data?: unknown[] }).data?.length ?? 0
}

describe('a call that a browser sends again, because its connection broke off before the reply,', () => {
  it('is carried out once, and answered as the first one was', async () => {
    const server = await testServer()
    const browser = await enter(server, 1)
    const first = await make(browser)
    const second = await make(browser)
    expect(first.body).toMatchObject({ success: true, data: expect.any(Number) })
    expect([second.status, second.body]).toEqual([first.status, first.body])
    expect(second.headers['content-type']).toBe(first.headers['content-type'])
    expect(await groupsOf(browser)).toBe(1)
    const { rows } = await server.app.audit.read(0, 100)
    expect(rows.map(({ action }) => action)).toEqual(['server-group.create'])
  })

  it('waits while the first one is carried out', async () => {
    const server = await testServer()
    const browser = await enter(server, 1)
    const replies = await Promise.all([make(browser), make(browser), make(browser)])
    expect(replies.map(({ body }) => body)).toEqual([replies[0].body, replies[0].body, replies[0].body])
    expect(await groupsOf(browser)).toBe(1)
  })

  it('is another one with another id, path, body, session or token, or without an id', async () => {
    const server = await testServer()
    const browser = await enter(server, 1)
    const again = await enter(server, 1)
    const { secret } = programWith(server, { scopes: ['nezha:server:write'] })
    for (const caller of [browser, again]) await make(caller)
    await make(browser, { 'idempotency-key': '1-2-3-5' })
    for (const headers of [{}, {}]) await make(browser, headers)
    for (const headers of [{ 'idempotency-key': '' }, { 'idempotency-key': '' }]) await make(browser, headers)
    await make(browser, id, 'mail')
    expect(await groupsOf(browser)).toBe(8)
    for (const twice of [id, id]) await make(server.browser(), { ...twice, authorization: `Bearer ${secret}` })
    expect(await groupsOf(browser)).toBe(9)
    const { body } = await browser.call('POST', 'batch-delete/server-group', { body: [1], headers: id })
    expect(body).toEqual({ success: true })
    expect(await groupsOf(browser)).toBe(8)
  })

  it('is carried out when the first one was refused with a status that says so', async () => {
    const server = await testServer()
    const browser = await enter(server, 1)
    const csrf = browser.cookies.get('nz-csrf') ?? ''
    browser.cookies.set('nz-csrf', 'wrong')
    expect((await make(browser)).status).toBe(403)
    browser.cookies.set('nz-csrf', csrf)
    expect((await make(browser)).body).toMatchObject({ success: true })
  })

  it('is refused in words for an id that is too long', async () => {
    const server = await testServer()
    const browser = await enter(server, 1)
    const reply = await make(browser, { 'idempotency-key': 'x'.repeat(129) })
    expect([reply.status, reply.body]).toEqual([
      400,
      { error: 'idempotency-key: 129 characters, of which there may be 128' },
    ])
  })

  it('is carried out again ten minutes after the reply, or when 256 others of the person came since', async () => {
    const server = await testServer()
    const browser = await enter(server, 1)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      await make(browser)
      vi.advanceTimersByTime(599_000)
      await make(browser)
      expect(await groupsOf(browser)).toBe(1)
      vi.advanceTimersByTime(1000)
      await make(browser)
      expect(await groupsOf(browser)).toBe(2)
      const again = await enter(server, 1)
      for (let at = 0; at < 255; at++) await make(at % 2 ? again : browser, { 'idempotency-key': `${at}` })
      const before = await groupsOf(browser)
      await make(browser)
      expect(await groupsOf(browser)).toBe(before)
      await make(again, { 'idempotency-key': 'one more' })
      await make(browser)
      expect(await groupsOf(browser)).toBe(before + 2)
    } finally {
      vi.useRealTimers()
    }
  })

  it('is known for ten minutes, also when one with its id took longer than that before', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const app = fastify()
    app.addHook('onRequest', async (request) => void Object.assign(request, { session: { key: 'a' } }))
    answerRepeatedRequests(app)
    const answers: PromiseWithResolvers<string>[] = []
    app.post('/', () => {
      const answer = Promise.withResolvers<string>()
      answers.push(answer)
      return answer.promise
    })
    const send = async () => (await app.inject({ method: 'POST', url: '/', headers: id })).body
    const first = send()
    await vi.waitUntil(() => answers.length === 1)
    vi.advanceTimersByTime(600_000)
    const second = send()
    await vi.waitUntil(() => answers.length === 2)
    answers[0]?.resolve('first')
    expect(await first).toBe('first')
    vi.advanceTimersByTime(300_000)
    answers[1]?.resolve('second')
    expect(await second).toBe('second')
    vi.advanceTimersByTime(400_000)
    expect(await send()).toBe('second')
  })
})
