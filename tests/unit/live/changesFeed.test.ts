import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ChangesFeed } from '../../../src/live/changesFeed.ts'
import { type FeedMessage, type FeedRequest, unpackEntries } from '../../../src/live/feedMessages.ts'
import { type FeedRequestHandler, handleFeedRequests } from '../../../src/live/handleFeedRequests.ts'
import type { ChangesFrame, ServerValues } from '../../../src/schemas/machines/serverChanges.ts'
import { FakeSocket } from '../../support/fakes/fakeWebSocket.ts'

const noon = Date.parse('2026-11-21T12:00:00Z')

/** A socket that also records what the page has sent over it. */
class AskedSocket extends FakeSocket {
  static readonly OPEN = 1
  readyState = 0
  readonly sent: string[] = []
  onopen: (() => void) | null = null
  open(): void {
    this.readyState = AskedSocket.OPEN
    this.onopen?.()
  }
  send(text: string): void {
    this.sent.push(text)
  }
}

const socket = () => FakeSocket.newest as AskedSocket

let feed: FeedRequestHandler
let messages: FeedMessage[]

const ask = (request: FeedRequest) => feed.receive(request)
const say = (frame: Partial<ChangesFrame>) => socket().say({ now: noon, watching: 3, ...frame })
const of = <Type extends FeedMessage['type']>(type: Type) =>
  messages.filter((message): message is Extract<FeedMessage, { type: Type }> => message.type === type)
const lastTick = () => of('tick').at(-1)
const requests = () => socket().sent.map((text) => JSON.parse(text))

const report = (cpu: number) => ({ state: { cpu } })
const values: ServerValues = {
  values: 1,
  now: noon,
  ids: [1, 2],
  age: [500, null],
  mem_total: [100, 0],
  disk_total: [200, 0],
  metrics: [
    [7, null],
    [50, 0],
    [60, 0],
    [8, 0],
    [9, 0],
  ],
}

beforeEach(() => {
  vi.useFakeTimers()
  FakeSocket.opened = []
  messages = []
  const post = (message: FeedMessage) => {
    messages.push(message)
    if (message.type === 'ready') feed.receive({ type: 'connect' })
  }
  feed = handleFeedRequests(post, {
    url: 'ws://localhost/changes',
    createFeed: (send) => new ChangesFeed(send),
    Socket: AskedSocket as unknown as typeof WebSocket,
  })
  ask({ type: 'visible', ids: [1, 2] })
  ask({ type: 'start', sendsChanges: true })
  socket().open()
})

afterEach(() => {
  feed.stop()
  vi.useRealTimers()
})

describe('what the page gets of changes', () => {
  it('is asked for what is on screen as soon as there is a connection', () => {
    expect(requests()).toEqual([{ show: [1, 2] }])
  })

  it('is what has changed of the servers on screen, with what is known from before', () => {
    say({
      reset: true,
      online: [1, 2, 3],
      shown: [{ id: 1, seen: noon - 900, host: { mem_total: 5 }, report: report(10) }],
    })
    expect(lastTick()).toMatchObject({
      serverCount: 3,
      watching: 3,
      now: noon,
      entries: [
        { id: 1, online: true, seenAt: noon - 900, host: { mem_total: 5 }, state: { cpu: 10 } },
        { id: 2, isPartial: true },
      ],
    })
    say({ shown: [{ id: 1, seen: noon, report: report(11) }] })
    expect(lastTick()?.entries).toEqual([
      { id: 1, online: true, seenAt: noon, host: { mem_total: 5 }, state: { cpu: 11 } },
    ])
    say({})
    expect(lastTick()?.entries).toEqual([])
  })

  it('says who is online of those whose metrics are on their way, as it is now', () => {
    say({ reset: true, online: [1], offline: [[2, noon - 5000]] })
    expect(lastTick()?.entries).toEqual([
      { id: 1, online: true, seenAt: noon, state: undefined, isPartial: true },
      { id: 2, online: false, seenAt: noon - 5000, state: undefined, isPartial: true },
    ])
  })

  it('says that a server on screen is offline that nobody may see or that is no longer there', () => {
    say({ reset: true, online: [1] })
    expect(lastTick()?.entries).toContainEqual({ id: 2, online: false })
    say({ gone: [1] })
    expect(lastTick()?.entries).toEqual([{ id: 1, online: false }])
  })

  it('has who is offline and whose disks are full when that changes, and only then', () => {
    say({
      reset: true,
      online: [1],
      offline: [
        [2, noon - 5000],
        [3, null],
      ],
      full_disks: [[1, 98]],
    })
    expect(lastTick()?.offline).toEqual(
      new Map([
        [2, noon - 5000],
        [3, undefined],
      ]),
    )
    expect(lastTick()?.fullDisks).toEqual(new Map([[1, 98]]))
    say({})
    expect(lastTick()).not.toHaveProperty('offline')
    expect(lastTick()).not.toHaveProperty('fullDisks')
    say({ online: [2], full_disks: [[1, 0]] })
    expect(lastTick()?.offline).toEqual(new Map([[3, undefined]]))
    expect(lastTick()?.fullDisks).toEqual(new Map())
  })

  it('is nothing for a text that is no frame', () => {
    socket().say('<html>')
    socket().say('null')
    expect(of('tick')).toEqual([])
  })
})

describe('who scrolls', () => {
  it('asks for what is on screen at the end, a few times a second at most', () => {
    vi.advanceTimersByTime(1000)
    for (let id = 10; id < 60; id++) ask({ type: 'visible', ids: [id] })
    expect(requests().slice(1)).toEqual([{ show: [10] }])
    vi.advanceTimersByTime(1000)
    expect(requests().slice(1)).toEqual([{ show: [10] }, { show: [59] }])
  })

  it('sees at once again what was on screen a moment ago', () => {
    say({ reset: true, online: [1], shown: [{ id: 1, seen: noon, report: report(10) }] })
    ask({ type: 'visible', ids: [] })
    ask({ type: 'visible', ids: [1] })
    expect(of('known')[0]?.entries).toMatchObject([{ id: 1, online: true, state: { cpu: 10 } }])
  })
})

describe('a connection that breaks', () => {
  it('starts anew: what the first frame does not have is gone, and what is on screen is asked for again', () => {
    say({ reset: true, online: [1, 2], shown: [{ id: 1, seen: noon, report: report(10) }] })
    socket().break()
    vi.advanceTimersByTime(1000)
    socket().open()
    expect(requests()).toEqual([{ show: [1, 2] }])
    say({ reset: true, offline: [[2, noon]], shown: [{ id: 2, seen: noon, report: report(20) }] })
    expect(lastTick()?.entries).toEqual([
      { id: 1, online: false },
      { id: 2, online: false, seenAt: noon, host: undefined, state: { cpu: 20 } },
    ])
  })
})

describe('a connection that is back', () => {
  it('shows the figures from before until others are there, and who is online now', () => {
    say({ reset: true, online: [1, 2], shown: [{ id: 1, seen: noon, report: report(10) }] })
    socket().break()
    vi.advanceTimersByTime(1000)
    socket().open()
    say({ reset: true, online: [2], offline: [[1, noon]] })
    expect(lastTick()?.entries[0]).toEqual({ id: 1, online: false, seenAt: noon, host: undefined, state: { cpu: 10 } })
  })
})

describe('a hidden page', () => {
  it('shows nothing, is sent no metrics, and is up to date when somebody comes back', () => {
    say({ reset: true, online: [1, 2], shown: [{ id: 2, seen: noon, report: report(20) }] })
    const { length } = of('tick')
    ask({ type: 'pause' })
    expect(requests().at(-1)).toEqual({ show: [] })
    say({ offline: [[2, noon]] })
    expect(of('tick')).toHaveLength(length)
    ask({ type: 'resume' })
    expect(requests().at(-1)).toEqual({ show: [1, 2] })
    expect(lastTick()?.offline).toEqual(new Map([[2, noon]]))
    expect(lastTick()?.entries).toMatchObject([{ id: 2, online: false, state: { cpu: 20 } }])
  })
})

describe('what lists sort by', () => {
  it('is asked for once by all who need it, and as it was measured', () => {
    say({ reset: true, online: [1], offline: [[2, null]] })
    ask({ type: 'snapshot', request: 1 })
    ask({ type: 'snapshot', request: 2 })
    expect(requests().filter((request) => 'values' in request)).toHaveLength(1)
    expect(of('snapshot')).toEqual([])
    socket().say(values)
    expect(of('snapshot').map(({ request }) => request)).toEqual([1, 2])
    const entries = unpackEntries(of('snapshot')[0]?.entries as Float64Array<ArrayBuffer>)
    expect(entries.get(1)).toEqual({
      id: 1,
      online: true,
      seenAt: noon - 500,
      host: { mem_total: 100, disk_total: 200 },
      state: { cpu: 7, mem_used: 50, disk_used: 60, net_in_speed: 8, net_out_speed: 9 },
    })
    expect(entries.get(2)).toMatchObject({ online: false, state: { cpu: Number.NaN, mem_used: 0 } })
    expect(entries.get(2)?.seenAt).toBeUndefined()
  })

  it('is what a row shows that comes on screen by it, until the rest is there', () => {
    say({ reset: true, online: [1, 2, 3] })
    ask({ type: 'snapshot', request: 1 })
    socket().say({ ...values, ids: [3, 4] })
    ask({ type: 'visible', ids: [3] })
    expect(of('known').at(-1)?.entries).toMatchObject([{ id: 3, online: true, isPartial: true, state: { cpu: 7 } }])
    say({ shown: [{ id: 3, seen: noon, report: report(8) }] })
    expect(lastTick()?.entries).toEqual([{ id: 3, online: true, seenAt: noon, host: undefined, state: { cpu: 8 } }])
  })

  it('comes compressed', async () => {
    say({ reset: true, online: [1, 2] })
    ask({ type: 'snapshot', request: 1 })
    expect(requests().at(-1)).toEqual({ values: 1, gzip: true })
    vi.useRealTimers()
    const zipped = new Uint8Array(gzipSync(JSON.stringify(values))).buffer
    socket().onmessage?.({ data: zipped as unknown as string })
    await vi.waitFor(() => expect(of('snapshot')).toHaveLength(1))
    expect(unpackEntries(of('snapshot')[0]?.entries as Float64Array<ArrayBuffer>).get(1)?.state?.cpu).toBe(7)
  })

  it('is what was known last without a connection', () => {
    say({ reset: true, online: [1, 2] })
    ask({ type: 'snapshot', request: 1 })
    socket().break()
    const entries = unpackEntries(of('snapshot')[0]?.entries as Float64Array<ArrayBuffer>)
    expect([...entries.keys()]).toEqual([1, 2])
    // Of what they measure nothing was asked: what their records say holds.
    expect(entries.get(2)).toEqual({ id: 2, online: true, seenAt: undefined })
  })

  it('needs no question where only who is online is asked', () => {
    say({ reset: true, online: [1], offline: [[2, noon - 9]] })
    ask({ type: 'states', request: 1 })
    const entries = unpackEntries(of('snapshot')[0]?.entries as Float64Array<ArrayBuffer>)
    expect([...entries.keys()].map((id) => entries.get(id))).toMatchObject([
      { id: 1, online: true },
      { id: 2, online: false, seenAt: noon - 9 },
    ])
    expect(requests().filter((request) => 'values' in request)).toEqual([])
  })
})
