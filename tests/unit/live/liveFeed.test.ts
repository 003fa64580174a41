import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type LiveEntry, unpackEntries } from '../../../src/live/feedMessages.ts'
import { LiveFeed } from '../../../src/live/liveFeed.ts'
import type { LiveServer } from '../../../src/schemas/machines/live.ts'

const noon = Date.parse('2026-11-21T12:00:00Z')
const zeroTime = '0001-01-01T00:00:00Z'

const at = (ms: number) => new Date(ms).toISOString()

const machine = (id: number, more: Partial<LiveServer> = {}): LiveServer => ({
  id,
  host: { mem_total: 1000 },
  state: { cpu: 10, uptime: 60 },
  last_active: at(noon - 1000),
  ...more,
})

const frame = (servers: LiveServer[] | null, now = noon) => JSON.stringify({ now, online: 3, servers })

/** What lists sort by. */
const snapshotOf = (feed: LiveFeed) => {
  const entries = unpackEntries(feed.states())
  return [...entries.keys()].map((id) => entries.get(id) as LiveEntry)
}

const feedShowing = (...ids: number[]) => {
  const feed = new LiveFeed()
  feed.show(ids)
  return feed
}

describe('what the page gets of a frame', () => {
  it('is the servers on screen only', () => {
    const feed = feedShowing(2)
    const tick = feed.read(frame([machine(1), machine(2), machine(3)]))
    expect(tick?.entries.map(({ id }) => id)).toEqual([2])
  })

  it('is nothing about a server that has not changed', () => {
    const feed = feedShowing(1, 2)
    feed.read(frame([machine(1), machine(2)]))
    const tick = feed.read(frame([machine(1), machine(2, { state: { cpu: 11 } })], noon + 2000))
    expect(tick?.entries).toMatchObject([{ id: 2, state: { cpu: 11 } }])
  })

  it('includes how many people watch and the time of the server', () => {
    expect(feedShowing().read(frame([]))).toMatchObject({ entries: [], watching: 3, now: noon })
  })

  it('counts every server that was in a frame once, whether or not it still is', () => {
    const feed = feedShowing()
    const counts = [[machine(1)], [machine(2)], [machine(1), machine(2)], []].map((servers) =>
      feed.read(frame(servers)),
    )
    expect(counts.map((tick) => tick?.serverCount)).toEqual([1, 2, 2, 2])
  })

  it('knows a server at once that comes into view between two frames', () => {
    const feed = feedShowing(1)
    feed.read(frame([machine(1), machine(2)]))
    expect(feed.show([1, 2])).toMatchObject([{ id: 2, online: true, state: { cpu: 10 } }])
  })

  it('includes a server again that left the screen and came back', () => {
    const feed = feedShowing(1)
    feed.read(frame([machine(1)]))
    expect(feed.show([])).toEqual([])
    expect(feed.show([1])).toMatchObject([{ id: 1 }])
  })

  it('is nothing about a new server before the next frame', () => {
    const feed = feedShowing()
    feed.read(frame([]))
    expect(feed.show([9])).toEqual([])
  })

  it('hands out all servers for sorting, on screen or not', () => {
    const feed = feedShowing(1)
    feed.read(frame([machine(1), machine(2, { state: { cpu: 80 } })]))
    expect(snapshotOf(feed).map(({ id, state }) => [id, state?.cpu])).toEqual([
      [1, 10],
      [2, 80],
    ])
  })
})

describe('who counts as offline', () => {
  const presence = (server: LiveServer, now = noon) => feedShowing(1).read(frame([server], now))?.entries[0]?.online

  it('is a machine whose stream has ended', () => {
    expect(presence(machine(1, { last_active: zeroTime }))).toBe(false)
  })

  it('is a machine that was silent for more than ten seconds of the server’s clock', () => {
    expect(presence(machine(1, { last_active: at(noon - 10_000) }))).toBe(true)
    expect(presence(machine(1, { last_active: at(noon - 10_001) }))).toBe(false)
  })

  it('does not depend on the clock of the browser', () => {
    const longAgo = Date.parse('2001-01-01T00:00:00Z')
    expect(presence(machine(1, { last_active: at(longAgo) }), longAgo + 2000)).toBe(true)
  })

  it('becomes offline by silence alone, though nothing else about it has changed', () => {
    const feed = feedShowing(1)
    feed.read(frame([machine(1)]))
    expect(feed.read(frame([machine(1)], noon + 5000))?.entries).toEqual([])
    expect(feed.read(frame([machine(1)], noon + 12_000))?.entries).toMatchObject([{ id: 1, online: false }])
  })

  it('is a machine that is missing from the frames; its last metrics stay', () => {
    const feed = feedShowing(1)
    feed.read(frame([machine(1)]))
    expect(feed.read(frame(null, noon + 2000))?.entries).toMatchObject([{ id: 1, online: false, state: { cpu: 10 } }])
  })

  it('is a machine that was never in a frame', () => {
    expect(feedShowing(7).read(frame([machine(1)]))?.entries).toEqual([{ id: 7, online: false }])
  })
})

describe('when a machine was last seen', () => {
  it('is remembered when its stream ends while somebody watches', () => {
    const feed = feedShowing(1)
    feed.read(frame([machine(1)]))
    const tick = feed.read(frame([machine(1, { last_active: zeroTime })], noon + 2000))
    expect(tick?.entries).toMatchObject([{ id: 1, online: false, seenAt: noon - 1000 }])
  })

  it('is computed from its last metrics when it was offline before anybody watched', () => {
    const offline = machine(1, { last_active: zeroTime, host: { boot_time: 1_000_000 }, state: { uptime: 500 } })
    expect(feedShowing(1).read(frame([offline]))?.entries[0]?.seenAt).toBe(1_000_500_000)
  })

  it('is unknown when the server has restarted since', () => {
    const silent = machine(1, { last_active: zeroTime, host: {}, state: {} })
    expect(feedShowing(1).read(frame([silent]))?.entries[0]?.seenAt).toBeUndefined()
  })
})

describe('frames that are not as they should be', () => {
  it.each(['', '{"now":1', 'null', '[]', '{"servers":[]}'])('ignores %j', (text) => {
    const feed = feedShowing(1)
    feed.read(frame([machine(1)]))
    expect(feed.read(text)).toBeUndefined()
    expect(snapshotOf(feed)).toMatchObject([{ id: 1, online: true }])
  })

  it('leaves out members that are no servers', () => {
    const text = `{"now":${noon},"servers":[null,{"name":"x"},${JSON.stringify(machine(4))}]}`
    expect(feedShowing(4).read(text)?.entries).toMatchObject([{ id: 4, online: true }])
  })
})

it('reads the frames of a real panel', () => {
  const url = new URL('../../../docs/contract/recordings/ws-server-admin.json', import.meta.url)
  const messages = JSON.parse(readFileSync(url, 'utf8')) as { opcode: string; text?: string }[]
  const texts = messages.flatMap(({ opcode, text }) => (opcode === 'text' && text ? [text] : []))
  const feed = feedShowing(1, 2)
  const ticks = texts.map((text) => feed.read(text))
  expect(ticks.length).toBeGreaterThan(2)
  expect(ticks[0]?.entries).toMatchObject([
    { id: 1, online: true, state: { cpu: 81.55668358714522 } },
    { id: 2, online: true },
  ])
  // Sent every 2 s, but agents report at their own pace: an unchanged server is not shown it again.
  expect(ticks.some((tick) => (tick?.entries.length ?? 0) < 2)).toBe(true)
})

describe('full disks', () => {
  const disk = (id: number, used: number, more: Partial<LiveServer> = {}) =>
    machine(id, { host: { disk_total: 1000 }, state: { disk_used: used }, ...more })

  it('are told of servers that are online, when they begin, change and end', () => {
    const feed = feedShowing()
    const told = (...servers: LiveServer[]) => {
      const found = feed.read(frame(servers))?.fullDisks
      return found && [...found]
    }
    const offline = disk(2, 999, { last_active: zeroTime })
    expect(told(disk(1, 969), offline, disk(3, 990, { missing: ['disk_used'] }))).toEqual([])
    expect(told(disk(1, 970), offline)).toEqual([[1, 97]])
    expect(told(disk(1, 974), offline)).toBeUndefined()
    expect(told(disk(1, 1000), offline)).toEqual([[1, 100]])
    // It does not come and go with each file.
    expect(told(disk(1, 960), offline)).toEqual([[1, 96]])
    expect(told(disk(1, 959), offline)).toEqual([])
    expect(told(disk(1, 969), offline)).toBeUndefined()
  })
})
