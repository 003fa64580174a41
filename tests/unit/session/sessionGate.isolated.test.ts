// @vitest-environment jsdom
import type { HttpError } from 'ra-core'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { request } from '../../../src/api/apiClient.ts'
import { type CurrentUser, forgetCurrentUser, setCurrentUser } from '../../../src/session/currentUser.ts'
import { reloadWithoutAsking } from '../../../src/session/navigation.ts'
import { hasSessionEnded, startSession, watchSession } from '../../../src/session/sessionGate.ts'
import type { TabMessage } from '../../../src/session/tabMessages.ts'
import { clearSessionCookies } from '../../../src/session/token.ts'
import { recordTokenReceipt } from '../../../src/session/tokenAge.ts'
import { receiveToken } from '../../support/console/sessionToken.ts'
import { calls, failure, fakeServer, setCookie } from '../../support/fakes/fakeServer.ts'

vi.mock('../../../src/session/navigation.ts', () => ({
  leaveWithoutAsking: vi.fn(),
  goToSignIn: vi.fn(),
  reloadWithoutAsking: vi.fn(),
}))

const admin: CurrentUser = { id: 1, fullName: 'admin', role: 0 }
const member: CurrentUser = { id: 2, fullName: 'member', role: 1 }
const over = () => failure('ApiErrorUnauthorized')

let otherTab: BroadcastChannel
let heardThere: TabMessage[]
const watcher = { onEnd: vi.fn(), onOpen: vi.fn() }
let stopWatching: () => void

beforeEach(() => {
  setCookie('nz-jwt', 'first')
  setCurrentUser(admin)
  heardThere = []
  otherTab = new BroadcastChannel('wheelhouse.session')
  otherTab.onmessage = ({ data }) => void heardThere.push(data)
  stopWatching = watchSession(watcher)
})

afterEach(() => {
  // Nobody waits beyond a test.
  forgetCurrentUser()
  startSession(admin)
  stopWatching()
  otherTab.close()
  vi.clearAllMocks()
  clearSessionCookies()
  localStorage.clear()
})

describe('A session that ends', () => {
  it('is announced to all tabs once, and every other call waits until somebody has signed in', async () => {
    let isOver = true
    const answer = (name: string) => () => (isOver ? over() : name)
    const requests = fakeServer({ 'GET nat': answer('nat'), 'GET cron': answer('cron'), 'GET ddns': answer('ddns') })
    watcher.onEnd.mockImplementation(() => expect(document.cookie).toBe(''))
    const waiting = Promise.all([request('GET', 'nat'), request('GET', 'cron')])
    await vi.waitFor(() => expect(hasSessionEnded()).toBe(true))
    const later = request('GET', 'ddns')
    await vi.waitFor(() => expect(heardThere).toEqual([{ type: 'ended' }]))
    expect(calls(requests)).toEqual(['GET nat', 'GET cron'])
    expect(watcher.onEnd).toHaveBeenCalledOnce()

    isOver = false
    startSession(admin)
    expect([await waiting, await later]).toEqual([['nat', 'cron'], 'ddns'])
    expect(calls(requests).sort()).toEqual(['GET cron', 'GET cron', 'GET ddns', 'GET nat', 'GET nat'])
    expect(watcher.onOpen).toHaveBeenCalledOnce()
  })

  it('makes a write wait and be sent once more, with the proof of the new session', async () => {
    const requests = fakeServer({
      'POST batch-delete/nat': ({ headers }) => (headers.get('x-csrf-token') === 'fresh' ? null : over()),
    })
    const deleted = request('POST', 'batch-delete/nat', { body: [1, 2] })
    await vi.waitFor(() => expect(hasSessionEnded()).toBe(true))
    setCookie('nz-csrf', 'fresh')
    startSession(admin)
    await deleted
    expect(requests.map(({ body }) => body)).toEqual([
      [1, 2],
      [1, 2],
    ])
  })

  it('is an error only when the call is refused again', async () => {
    const requests = fakeServer({ 'GET nat': over })
    const asked = request('GET', 'nat').catch((error: HttpError) => error)
    await vi.waitFor(() => expect(hasSessionEnded()).toBe(true))
    startSession(admin)
    expect(await asked).toMatchObject({ status: 401 })
    expect(requests).toHaveLength(2)
  })

  it('is not the one that another tab has opened since: its cookies stay, and the call is repeated with them', async () => {
    const requests = fakeServer({
      'GET nat': () => {
        if (document.cookie.includes('first')) {
          setCookie('nz-jwt', 'second')
          recordTokenReceipt()
          return over()
        }
        return 'nat'
      },
    })
    expect(await request('GET', 'nat')).toBe('nat')
    expect(requests).toHaveLength(2)
    expect(document.cookie).toContain('second')
    expect(heardThere).toEqual([])
  })

  it('is never the reason for "permission denied"', async () => {
    fakeServer({ 'GET user': () => failure('permission denied') })
    await expect(request('GET', 'user')).rejects.toMatchObject({ message: 'permission denied' })
    expect(hasSessionEnded()).toBe(false)
    expect(document.cookie).toContain('nz-jwt')
  })
})

describe('A message from another tab', () => {
  const post = (message: TabMessage) => otherTab.postMessage(message)

  it('makes calls wait here too, and sends them when the same person has signed in there', async () => {
    const requests = fakeServer({ 'GET nat': () => 'nat' })
    post({ type: 'ended' })
    await vi.waitFor(() => expect(hasSessionEnded()).toBe(true))
    const asked = request('GET', 'nat')
    post({ type: 'opened', person: { id: 1, role: 0 } })
    expect(await asked).toBe('nat')
    expect(requests).toHaveLength(1)
    expect(reloadWithoutAsking).not.toHaveBeenCalled()
  })

  it.each([
    ['somebody else', { id: 2, role: 1 }],
    ['the same person with other rights', { id: 1, role: 1 }],
  ])('reloads this page when %s has signed in, and sends no call', async (_, person) => {
    const requests = fakeServer({ 'GET nat': () => 'nat' })
    post({ type: 'ended' })
    await vi.waitFor(() => expect(hasSessionEnded()).toBe(true))
    void request('GET', 'nat')
    sessionStorage.setItem('wheelhouse.draft.nat.1', '{"name":"private"}')
    post({ type: 'opened', person })
    await vi.waitFor(() => expect(reloadWithoutAsking).toHaveBeenCalledOnce())
    expect(requests).toEqual([])
    expect(sessionStorage).toHaveLength(0)
  })

  it('signs out here when somebody has signed out there', async () => {
    receiveToken()
    localStorage.setItem('wheelhouse.names.server', '{"1":"private"}')
    post({ type: 'left' })
    await vi.waitFor(() => expect(document.cookie).toBe(''))
    expect(Object.keys(localStorage)).toEqual([])
  })
})

it('the page is reloaded when another person signs in at this tab', () => {
  startSession(member)
  expect(reloadWithoutAsking).toHaveBeenCalledOnce()
})
