import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { FeedMessage } from '../../../src/live/feedMessages.ts'
import { type FeedRequestHandler, handleFeedRequests } from '../../../src/live/handleFeedRequests.ts'
import { LiveFeed } from '../../../src/live/liveFeed.ts'
import { reconnectDelay } from '../../../src/live/reconnectingSocket.ts'
import { FakeSocket, FakeWebSocket } from '../../support/fakes/fakeWebSocket.ts'

let feed: FeedRequestHandler
let messages: FeedMessage[]

/** How the page answers when a pause is over. */
let answer: 'connect' | 'wait' | undefined

const frame = (cpu: number) => ({
  now: Date.now(),
  online: 1,
  servers: [{ id: 1, state: { cpu }, last_active: new Date().toISOString() }],
})
const messagesOf = (type: FeedMessage['type']) => messages.filter((message) => message.type === type)

/** Breaks the connection and lets time pass until the next attempt. */
const breakAndReopen = () => {
  const { length } = FakeSocket.opened
  FakeSocket.newest.break()
  for (let second = 0; second < 30 && FakeSocket.opened.length === length; second += 1) vi.advanceTimersByTime(1000)
}

beforeEach(() => {
  vi.useFakeTimers()
  FakeSocket.opened = []
  messages = []
  answer = 'connect'
  const post = (message: FeedMessage) => {
    messages.push(message)
    if (message.type === 'ready' && answer) feed.receive({ type: answer })
  }
  feed = handleFeedRequests(post, {
    url: 'ws://localhost/live',
    createFeed: () => new LiveFeed(),
    Socket: FakeWebSocket,
  })
  feed.receive({ type: 'visible', ids: [1] })
  feed.receive({ type: 'start', sendsChanges: false })
})

afterEach(() => {
  feed.stop()
  vi.useRealTimers()
})

describe('the pause before a new attempt', () => {
  it('doubles from 1 s up to 30 s', () => {
    expect([0, 1, 2, 3, 4, 5, 20].map((failures) => reconnectDelay(failures, 1))).toEqual([
      1000, 2000, 4000, 8000, 16_000, 30_000, 30_000,
    ])
  })

  it('differs from tab to tab, but is never below 1 s', () => {
    expect(reconnectDelay(4, 0)).toBe(8000)
    expect(reconnectDelay(0, 0)).toBe(1000)
  })
})

describe('a line that breaks', () => {
  it('is said to be lost, and opened again after a pause', () => {
    FakeSocket.newest.break()
    expect(messagesOf('lost')).toHaveLength(1)
    vi.advanceTimersByTime(999)
    expect(FakeSocket.opened).toHaveLength(1)
    vi.advanceTimersByTime(1)
    expect(FakeSocket.opened).toHaveLength(2)
    expect(FakeSocket.newest.url).toBe('ws://localhost/live')
  })

  it('is tried more and more rarely while the server closes it at once', () => {
    for (let attempt = 0; attempt < 8; attempt += 1) {
      FakeSocket.newest.say(frame(1))
      breakAndReopen()
    }
    const before = FakeSocket.opened.length
    FakeSocket.newest.break()
    vi.advanceTimersByTime(14_000)
    expect(FakeSocket.opened).toHaveLength(before)
    vi.advanceTimersByTime(16_000)
    expect(FakeSocket.opened).toHaveLength(before + 1)
  })

  it('is tried quickly again after it had worked for a while', () => {
    for (let attempt = 0; attempt < 5; attempt += 1) breakAndReopen()
    for (let second = 0; second < 30; second += 2) {
      FakeSocket.newest.say(frame(second))
      vi.advanceTimersByTime(2000)
    }
    const before = FakeSocket.opened.length
    FakeSocket.newest.break()
    vi.advanceTimersByTime(1000)
    expect(FakeSocket.opened).toHaveLength(before + 1)
  })

  it('is noticed by its silence when nobody closes it', () => {
    FakeSocket.newest.say(frame(1))
    vi.advanceTimersByTime(9_999)
    expect(messagesOf('lost')).toHaveLength(0)
    vi.advanceTimersByTime(1)
    expect(messagesOf('lost')).toHaveLength(1)
    expect(FakeSocket.newest.isClosed).toBe(true)
  })

  it('is opened at once when the network comes back', () => {
    for (let attempt = 0; attempt < 6; attempt += 1) breakAndReopen()
    FakeSocket.newest.break()
    const before = FakeSocket.opened.length
    feed.retry()
    expect(FakeSocket.opened).toHaveLength(before + 1)
    vi.advanceTimersByTime(9_000)
    expect(FakeSocket.opened).toHaveLength(before + 1)
  })

  it('is not opened before the page has agreed', () => {
    answer = undefined
    FakeSocket.newest.break()
    vi.advanceTimersByTime(600_000)
    expect(messagesOf('ready')).toHaveLength(1)
    expect(FakeSocket.opened).toHaveLength(1)
  })

  it('asks again later when the page does not know', () => {
    answer = 'wait'
    FakeSocket.newest.break()
    vi.advanceTimersByTime(20_000)
    expect(messagesOf('ready').length).toBeGreaterThan(2)
    expect(FakeSocket.opened).toHaveLength(1)
  })
})

it('closes the socket when stopped, and never opens it again', () => {
  const { newest } = FakeSocket
  newest.say(frame(1))
  feed.stop()
  expect(newest.isClosed).toBe(true)
  feed.receive({ type: 'connect' })
  feed.retry()
  vi.advanceTimersByTime(600_000)
  expect(FakeSocket.opened).toHaveLength(1)
  expect(messages.filter(({ type }) => type !== 'tick')).toEqual([])
})

describe('a hidden page', () => {
  it('gets nothing, and the newest frame when it is seen again', () => {
    feed.receive({ type: 'pause' })
    FakeSocket.newest.say(frame(10))
    FakeSocket.newest.say(frame(20))
    expect(messagesOf('tick')).toHaveLength(0)
    feed.receive({ type: 'resume' })
    expect(messagesOf('tick')).toMatchObject([{ entries: [{ id: 1, state: { cpu: 20 } }] }])
  })

  it('gives up its socket after a minute and takes it back when it is seen again', () => {
    const { newest } = FakeSocket
    feed.receive({ type: 'pause' })
    for (let second = 0; second < 58; second += 2) {
      newest.say(frame(second))
      vi.advanceTimersByTime(2000)
    }
    expect(newest.isClosed).toBe(false)
    vi.advanceTimersByTime(2000)
    expect(newest.isClosed).toBe(true)
    vi.advanceTimersByTime(600_000)
    expect(FakeSocket.opened).toHaveLength(1)
    expect(messagesOf('lost')).toHaveLength(0)
    feed.receive({ type: 'resume' })
    expect(FakeSocket.opened).toHaveLength(2)
  })

  it('keeps its socket when it is seen again within the minute', () => {
    feed.receive({ type: 'pause' })
    feed.receive({ type: 'resume' })
    for (let second = 0; second < 90; second += 2) {
      FakeSocket.newest.say(frame(second))
      vi.advanceTimersByTime(2000)
    }
    expect(FakeSocket.opened).toHaveLength(1)
    expect(FakeSocket.newest.isClosed).toBe(false)
  })
})
