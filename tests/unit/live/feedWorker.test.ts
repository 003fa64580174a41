import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { FeedMessage, FeedRequest } from '../../../src/live/feedMessages.ts'
import { type FeedWorker, openFeedWorker } from '../../../src/live/feedWorker.ts'

/** A worker as the page sees it. */
class FakeWorker {
  static readonly begun: FakeWorker[] = []
  readonly told: FeedRequest[] = []
  isTerminated = false
  onerror: ((event: ErrorEvent) => void) | null = null
  onmessage: ((event: { data: Partial<FeedMessage> }) => void) | null = null
  constructor() {
    FakeWorker.begun.push(this)
  }
  postMessage(request: FeedRequest): void {
    this.told.push(request)
  }
  terminate(): void {
    this.isTerminated = true
  }
  /** As when its code cannot be fetched. */
  fail(): void {
    this.onerror?.(new ErrorEvent('error'))
  }
}

const start: FeedRequest = { type: 'start', sendsChanges: true }
const visible: FeedRequest = { type: 'visible', ids: [1] }

let feed: FeedWorker
let received: FeedMessage['type'][]
/** How the page answers when a delay is over. */
let answer: 'connect' | 'wait'

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('ErrorEvent', class extends Event {})
  vi.spyOn(console, 'error').mockImplementation(() => {})
  FakeWorker.begun.length = 0
  received = []
  answer = 'connect'
  const receive = ({ type }: FeedMessage) => {
    received.push(type)
    if (type === 'ready') feed.post({ type: answer })
  }
  feed = openFeedWorker(receive, () => new FakeWorker() as unknown as Worker)
  feed.post(visible)
  feed.post(start)
})

afterEach(() => {
  feed.close()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  vi.useRealTimers()
})

it('live metrics whose code could not be fetched begin again after a delay, with what was asked for', () => {
  FakeWorker.begun[0]?.fail()
  expect(received).toEqual(['lost'])
  vi.advanceTimersByTime(1000)
  expect(FakeWorker.begun.map(({ isTerminated }) => isTerminated)).toEqual([true, false])
  expect(FakeWorker.begun[1]?.told).toEqual([visible, start])
})

it('they begin at once when the server can be reached again, and not before the page allows it', () => {
  answer = 'wait'
  FakeWorker.begun[0]?.fail()
  vi.advanceTimersByTime(60_000)
  expect(received.filter((type) => type === 'ready').length).toBeGreaterThan(1)
  expect(FakeWorker.begun).toHaveLength(1)
  answer = 'connect'
  feed.post({ type: 'retry' })
  expect(FakeWorker.begun).toHaveLength(2)
})

it('a hidden page stays paused in another worker, and one that is closed begins none', () => {
  feed.post({ type: 'pause' })
  FakeWorker.begun[0]?.fail()
  vi.advanceTimersByTime(1000)
  expect(FakeWorker.begun[1]?.told).toEqual([visible, start, { type: 'pause' }])
  feed.post({ type: 'resume' })
  FakeWorker.begun[1]?.fail()
  vi.advanceTimersByTime(2000)
  expect(FakeWorker.begun[2]?.told).toEqual([visible, start])
  FakeWorker.begun[2]?.fail()
  feed.close()
  vi.advanceTimersByTime(60_000)
  expect(FakeWorker.begun).toHaveLength(3)
})

it('what was asked of live metrics that failed, or that wait, is answered: nothing is known of any server', () => {
  feed.post({ type: 'snapshot', request: 1 })
  FakeWorker.begun[0]?.fail()
  expect(received).toEqual(['lost', 'snapshot'])
  feed.post({ type: 'states', request: 2 })
  expect(received).toEqual(['lost', 'snapshot', 'snapshot'])
})

it('they do not begin again when the page allows it only after they were closed', () => {
  answer = 'wait'
  FakeWorker.begun[0]?.fail()
  feed.close()
  feed.post({ type: 'connect' })
  expect(FakeWorker.begun).toHaveLength(1)
})

it('live metrics that came and failed later begin again after a second, however often they had failed before', () => {
  vi.spyOn(Math, 'random').mockReturnValue(1)
  for (let failure = 0; failure < 4; failure++) {
    FakeWorker.begun.at(-1)?.fail()
    vi.advanceTimersByTime(30_000)
  }
  const begun = FakeWorker.begun.length
  FakeWorker.begun.at(-1)?.onmessage?.({ data: { type: 'tick' } })
  FakeWorker.begun.at(-1)?.fail()
  vi.advanceTimersByTime(1000)
  expect(FakeWorker.begun).toHaveLength(begun + 1)
})
