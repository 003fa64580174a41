// @vitest-environment jsdom
import type { HttpError } from 'ra-core'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { z } from 'zod'
import inGerman from '../../../i18n/de-DE/refusals.json'
import { createRefusalText } from '../../../i18n/refusalText.ts'
import { call, request } from '../../../src/api/apiClient.ts'
import { unreachableSince } from '../../../src/api/connectivity.ts'
import { endpoint } from '../../../src/schemas/define/endpoint.ts'
import { requestIdMs } from '../../../src/schemas/define/wireNames.ts'
import { userRecordEndpoints } from '../../../src/schemas/endpoints/peopleEndpoints.ts'
import { endSession, startSession } from '../../../src/session/sessionGate.ts'
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

  it.each(['{"success":true,"data":[{"id":', '{}', 'null'])(
    'that calls itself good and cannot be read says so: %s',
    async (text) => {
      fakeServer({ 'GET nat': () => new Response(text, { status: 200, statusText: 'OK' }) })
      expect(await refused(request('GET', 'nat'))).toMatchObject({ message: 'app.error.unreadable', status: 502 })
    },
  )

  it('to fit what an endpoint answers says so, too', async () => {
    fakeServer({ 'GET nat': () => [null] })
    const nats = endpoint('GET', 'nat', { reply: z.array(z.object({ id: z.int() })) })
    const error = await refused(call(nats))
    expect(error).toMatchObject({ message: 'app.error.unreadable', status: 502 })
    expect(error).toHaveProperty('cause.issues.0.path', [0])
  })

  it('of a proxy that refuses the size of a request names the proxy, and what to change there', async () => {
    fakeServer({ 'POST nat': () => new Response('<h1>nginx</h1>', { status: 413, statusText: 'Too Large' }) })
    const { message, status } = await refused(request('POST', 'nat', { body: { name: 'x' } }))
    expect([message, status]).toEqual([
      `A proxy at ${location.origin} takes no body of this size (HTTP 413): allow larger ones there, as by client_max_body_size in nginx.`,
      413,
    ])
    expect(createRefusalText(inGerman as never)(message)).toContain(
      `Der Proxy unter ${location.origin} nimmt keine so große Anfrage an`,
    )
  })

  it('that is a page in place of an answer says where it came from', async () => {
    fakeServer({ 'POST nat': () => new Response('<h1>Sign in</h1>', { status: 200, statusText: 'OK' }) })
    const { message } = await refused(request('POST', 'nat', { body: { name: 'x' } }))
    expect(createRefusalText(inGerman as never)(message)).toBe(
      `Von ${location.origin} kam eine Seite statt der Antwort des Servers (HTTP 200). Laden Sie die Konsole neu: Vielleicht verlangt ein Proxy eine Anmeldung.`,
    )
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

describe('A call that somebody stops waiting for', () => {
  /** Answers nothing, and ends with its signal as a browser's does. */
  const hang = () => {
    const fetches = vi.fn((_path: string, { signal }: RequestInit) => {
      const { promise, reject } = Promise.withResolvers<never>()
      signal?.addEventListener('abort', () => reject(signal.reason))
      return promise
    })
    vi.stubGlobal('fetch', fetches)
    onTestFinished(() => void vi.unstubAllGlobals())
    return fetches
  }
  const stopped = (method: 'GET' | 'PATCH') => {
    const controller = new AbortController()
    const error = refused(request(method, 'nat/1', { signal: controller.signal }))
    return { error, stop: () => controller.abort() }
  }

  it('has changed nothing if it only reads, and is of an unknown outcome if it was sent; the server is not away', async () => {
    const fetches = hang()
    const [read, write] = [stopped('GET'), stopped('PATCH')]
    await vi.waitFor(() => expect(fetches).toHaveBeenCalledTimes(2))
    for (const { stop } of [read, write]) stop()
    expect(await read.error).toMatchObject({ name: 'AbortError' })
    expect(await write.error).toMatchObject({ status: 0, message: 'app.toast.unanswered' })
    expect(unreachableSince()).toBeUndefined()
  })

  it('is never sent where it waits for a sign-in', async () => {
    const requests = fakeServer({ 'PATCH nat/1': () => null })
    void endSession()
    const { error, stop } = stopped('PATCH')
    stop()
    expect(await error).toMatchObject({ name: 'AbortError' })
    startSession({ id: 1, fullName: 'admin', role: 0 })
    await call(endpoint('GET', 'nat')).catch(() => {})
    expect(calls(requests)).toEqual(['GET nat'])
  })
})

describe('A call that makes a record', () => {
  const idHeader = 'idempotency-key'
  const saves = (form: object) => request('POST', 'nat', { body: form, makesRecord: true })
  const noAnswer = () => {
    throw new TypeError('the connection broke off')
  }

  it.each([
    ['broke off', noAnswer],
    ['was answered by a proxy alone', () => new Response('<h1>nginx</h1>', { status: 504 })],
    ['was answered by the page of a CDN that did not wait', () => new Response('<h1>524</h1>', { status: 524 })],
  ])('and %s is the same order when it is sent again unchanged, and another when it is changed', async (_, answer) => {
    let isAway = true
    const requests = fakeServer({ 'POST nat': () => (isAway ? answer() : 7) })
    await refused(saves({ name: 'web' }))
    await refused(saves({ name: 'web' }))
    await refused(saves({ name: 'mail' }))
    isAway = false
    expect(await saves({ name: 'web' })).toBe(7)
    expect(await saves({ name: 'web' })).toBe(7)
    const [first, second, changed, third, next] = requests.map(({ headers }) => headers.get(idHeader))
    expect([second, third]).toEqual([first, first])
    expect(new Set([first, changed, next]).size).toBe(3)
  })

  it.each([200, 400])('and was refused in words (%i) is a new order when it is sent again', async (status) => {
    const refusal = () => new Response(JSON.stringify({ error: 'name: taken' }), { status })
    const requests = fakeServer({ 'POST nat': refusal })
    for (const _ of [1, 2]) expect(await refused(saves({ name: 'web' }))).toMatchObject({ message: 'name: taken' })
    expect(new Set(requests.map(({ headers }) => headers.get(idHeader))).size).toBe(2)
  })

  it('and waits for its answer is the same order when it is sent again meanwhile', async () => {
    const { promise: answer, resolve } = Promise.withResolvers<number>()
    const requests = fakeServer({ 'POST nat': () => answer })
    const saved = [saves({ name: 'web' }), saves({ name: 'web' })]
    await vi.waitFor(() => expect(requests).toHaveLength(2))
    resolve(7)
    expect(await Promise.all(saved)).toEqual([7, 7])
    expect(new Set(requests.map(({ headers }) => headers.get(idHeader))).size).toBe(1)
  })

  describe('with another body each time', () => {
    const mutes = (ends_at: string) => request('POST', 'mutes', { body: { ends_at }, makesRecord: 'web for an hour' })

    it('is sent with the body of the first time, until it has an answer', async () => {
      let isAway = true
      const requests = fakeServer({ 'POST mutes': () => (isAway ? noAnswer() : 7) })
      await refused(mutes('13:00'))
      await refused(mutes('13:01'))
      isAway = false
      for (const ends_at of ['13:02', '13:03']) await mutes(ends_at)
      expect(requests.map(({ body }) => (body as { ends_at: string }).ends_at)).toEqual([
        ...['13:00', '13:00', '13:00'],
        '13:03',
      ])
      const ids = requests.map(({ headers }) => headers.get(idHeader))
      expect(new Set(ids.slice(0, 3)).size).toBe(1)
      expect(ids[3]).not.toBe(ids[0])
    })

    it('is a new order once the server does not know the first one any more', async () => {
      vi.useFakeTimers({ toFake: ['Date'] })
      onTestFinished(() => void vi.useRealTimers())
      const requests = fakeServer({ 'POST mutes': noAnswer })
      await refused(mutes('13:00'))
      vi.advanceTimersByTime(requestIdMs)
      await refused(mutes('13:10'))
      expect(requests[1]?.body).toEqual({ ends_at: '13:10' })
      expect(requests[1]?.headers.get(idHeader)).not.toBe(requests[0]?.headers.get(idHeader))
    })
  })

  it('is no example for others: two terminals of one server are two', async () => {
    const requests = fakeServer({ 'POST terminal': noAnswer })
    const open = () => request('POST', 'terminal', { body: { server_id: 1 } })
    await Promise.all([refused(open()), refused(open())])
    expect(new Set(requests.map(({ headers }) => headers.get(idHeader))).size).toBe(2)
  })

  const deletes = (path: string) => () => request('POST', path, { body: [7] })
  const { deleteUsers } = userRecordEndpoints
  it.each([
    ['nat', 'batch-delete/nat', deletes('batch-delete/nat')],
    ['wheelhouse/rotas', 'batch-delete/wheelhouse/rotas', deletes('batch-delete/wheelhouse/rotas')],
    ['user', deleteUsers.path, () => call(deleteUsers, { ids: [7], records: 'delete' })],
  ])(
    'is a new order once another one to the same records (%s) was answered by %s',
    async (path, deletion, deleteIt) => {
      const saves = (form: object) => request('POST', path, { body: form, makesRecord: true })
      let isAway = true
      const requests = fakeServer({
        [`POST ${path}`]: () => (isAway ? noAnswer() : 7),
        'POST cron': () => 1,
        [`POST ${deletion}`]: () => null,
      })
      await refused(saves({ name: 'web' }))
      await request('POST', 'cron', { body: {} })
      await refused(saves({ name: 'web' }))
      await deleteIt()
      isAway = false
      await saves({ name: 'web' })
      const [first, again, after] = requests
        .filter(({ call }) => call === `POST ${path}`)
        .map(({ headers }) => headers.get(idHeader))
      expect(again).toBe(first)
      expect(after).not.toBe(first)
    },
  )

  it('is the same order after one to records whose name is longer by a letter', async () => {
    const requests = fakeServer({ 'POST team': noAnswer, 'POST teams': () => 1 })
    const saves = () => refused(request('POST', 'team', { body: {}, makesRecord: true }))
    await saves()
    await request('POST', 'teams', { body: {} })
    await saves()
    const [first, , again] = requests.map(({ headers }) => headers.get(idHeader))
    expect(again).toBe(first)
  })
})
