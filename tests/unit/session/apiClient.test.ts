// @vitest-environment jsdom
import type { HttpError } from 'ra-core'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { call, request } from '../../../src/api/apiClient.ts'
import { endpoint } from '../../../src/schemas/define/endpoint.ts'
import { startSession } from '../../../src/session/sessionGate.ts'
import { clearSessionCookies } from '../../../src/session/token.ts'
import { calls, failure, fakeServer, setCookie } from '../../support/fakes/fakeServer.ts'

const csrfFailure = 'ApiErrorForbidden: missing or invalid CSRF token'
const run = () => endpoint('POST', 'cron/:id/manual', { older: 'GET' })
const refused = (work: Promise<unknown>) =>
  work.then(
    () => {
      throw new Error('It was not refused.')
    },
    (error: HttpError) => error,
  )

beforeEach(() => setCookie('nz-csrf', 'proof'))
afterEach(clearSessionCookies)

describe('A call', () => {
  it('carries the CSRF cookie as a header, except when it only reads', async () => {
    const requests = fakeServer({ 'GET nat': () => [], 'POST nat': () => 1 })
    await request('GET', 'nat')
    await request('POST', 'nat', { body: { name: 'web' } })
    expect(requests.map(({ headers }) => headers.get('x-csrf-token'))).toEqual([null, 'proof'])
    expect(requests[1]?.body).toEqual({ name: 'web' })
  })

  it('gives the data of the envelope, and undefined where the server left them out', async () => {
    fakeServer({ 'GET nat': () => Response.json({ success: true }), 'GET cron': () => [1] })
    expect([await request('GET', 'nat'), await request('GET', 'cron')]).toEqual([undefined, [1]])
  })

  it('fills the path from its input and types the reply', async () => {
    const find = endpoint('GET', 'file/:name', { reply: z.object({ size: z.int() }) })
    fakeServer({ 'GET file/a%2Fb%20c': () => ({ size: 3, colour: 'red' }) })
    expect(await call(find, { name: 'a/b c' })).toEqual({ size: 3 })
  })

  it('with input that does not fit its schema never leaves the browser', async () => {
    const requests = fakeServer({})
    await expect(call(run(), { id: 'seven' } as never)).rejects.toThrow(z.ZodError)
    expect(requests).toEqual([])
  })
})

describe('A failure', () => {
  it.each([
    ['ApiErrorForbidden: not yours', 200, 403],
    ['permission denied', 200, 200],
    ['permission denied', 403, 403],
    ['the disk is full', 500, 500],
  ])('"%s" with HTTP %i counts as %i, whatever the HTTP status was', async (text, http, status) => {
    fakeServer({ 'GET profile': () => failure(text, http) })
    expect(await refused(request('GET', 'profile'))).toMatchObject({ message: text, status })
    expect(document.cookie).toContain('nz-csrf')
  })

  it('"ApiErrorUnauthorized" with HTTP 200 ends the session: its cookies are gone before any other call leaves', async () => {
    setCookie('nz-jwt', 'revoked')
    let isOver = true
    const requests = fakeServer({ 'GET profile': () => (isOver ? failure('ApiErrorUnauthorized') : { id: 1 }) })
    const asked = request('GET', 'profile')
    await vi.waitFor(() => expect(document.cookie).toBe(''))
    expect(calls(requests)).toEqual(['GET profile'])
    isOver = false
    startSession({ id: 1, fullName: 'admin', role: 0 })
    expect(await asked).toEqual({ id: 1 })
  })

  it('without a message has none', async () => {
    fakeServer({ 'GET nat': () => Response.json({}, { status: 500 }) })
    expect(await refused(request('GET', 'nat'))).toMatchObject({ message: '', status: 500 })
  })

  it('that is not JSON is reported by its status', async () => {
    fakeServer({ 'GET nat': () => new Response('<h1>nginx</h1>', { status: 502, statusText: 'Bad Gateway' }) })
    expect(await refused(request('GET', 'nat'))).toMatchObject({ message: '502 Bad Gateway', status: 502 })
  })

  it('of the network has status 0, words for people, and its cause', async () => {
    const cause = new TypeError('fetch failed')
    fakeServer({
      'GET nat': () => {
        throw cause
      },
    })
    expect(await refused(request('GET', 'nat'))).toMatchObject({ message: 'app.error.unreachable', status: 0, cause })
  })
})

describe('A lost CSRF cookie', () => {
  it('is renewed once: any read brings a new one, and the call is repeated with it', async () => {
    const requests = fakeServer({
      'POST nat': ({ headers }) => (headers.get('x-csrf-token') === 'fresh' ? 7 : failure(csrfFailure, 403)),
      'GET profile': () => {
        setCookie('nz-csrf', 'fresh')
        return {}
      },
    })
    expect(await request('POST', 'nat', { body: {} })).toBe(7)
    expect(calls(requests)).toEqual(['POST nat', 'GET profile', 'POST nat'])
  })

  it('is not renewed twice', async () => {
    const requests = fakeServer({ 'POST nat': () => failure(csrfFailure, 403), 'GET profile': () => ({}) })
    expect(await refused(request('POST', 'nat', { body: {} }))).toMatchObject({ status: 403 })
    expect(calls(requests)).toEqual(['POST nat', 'GET profile', 'POST nat'])
  })
})

describe('An endpoint whose verb changed over the years', () => {
  it('is called by its newer verb where there is a CSRF cookie, else by its older one', async () => {
    const requests = fakeServer({ 'POST cron/1/manual': () => null, 'GET cron/1/manual': () => null })
    await call(run(), { id: 1 })
    clearSessionCookies()
    await call(run(), { id: 1 })
    expect(calls(requests)).toEqual(['POST cron/1/manual', 'GET cron/1/manual'])
  })

  it('is tried once in the other verb after a 404, and what worked is remembered', async () => {
    const endpointOfOldServer = run()
    const requests = fakeServer({ 'GET cron/1/manual': () => null, 'GET cron/2/manual': () => null })
    await call(endpointOfOldServer, { id: 1 })
    await call(endpointOfOldServer, { id: 2 })
    expect(calls(requests)).toEqual(['POST cron/1/manual', 'GET cron/1/manual', 'GET cron/2/manual'])
    expect(requests[1]?.body).toBeUndefined()
  })

  it('that both verbs do not find stays a 404, and nothing is remembered', async () => {
    const endpointOfNobody = run()
    const requests = fakeServer({})
    expect(await refused(call(endpointOfNobody, { id: 1 }))).toMatchObject({ status: 404 })
    expect(await refused(call(endpointOfNobody, { id: 1 }))).toMatchObject({ status: 404 })
    expect(calls(requests)).toEqual(['POST', 'GET', 'POST', 'GET'].map((verb) => `${verb} cron/1/manual`))
  })

  it('is not tried again after another failure', async () => {
    const requests = fakeServer({ 'POST cron/1/manual': () => failure('permission denied') })
    await refused(call(run(), { id: 1 }))
    expect(calls(requests)).toEqual(['POST cron/1/manual'])
  })
})
