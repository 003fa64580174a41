import { QueryClient } from '@tanstack/react-query'
import { describe, expect, it } from 'vitest'
import { fetchNewServers } from '../../../src/app/lifetime.ts'

/** A list of servers on screen, and what a frame does to it. @param rows of the list; left out: not loaded yet */
function listWith(rows?: { id: number }[]) {
  const client = new QueryClient()
  const listKey = ['collection', 'server']
  const load = (loaded: { id: number }[]) => client.setQueryData(listKey, loaded)
  if (rows) load(rows)
  let time = 0
  const frameOf = fetchNewServers(client, () => time)
  return {
    load,
    wait: (ms: number) => {
      time += ms
    },
    /** @returns whether the list is fetched again */
    frame: (count: number) => {
      frameOf(count)
      const isStale = client.getQueryState(listKey)?.isInvalidated ?? false
      if (isStale) load(client.getQueryData(listKey) ?? [])
      return isStale
    },
  }
}

describe('The list of servers is fetched again', () => {
  it('when a machine reports for the first time', () => {
    const { frame } = listWith([{ id: 1 }])
    expect([1, 1, 2, 2].map(frame)).toEqual([false, false, true, false])
  })

  it('when it is empty and the first frame has a server, once', () => {
    const { frame } = listWith([])
    expect([1, 1, 1].map(frame)).toEqual([true, false, false])
  })

  it('when it arrives empty after a frame with a server', () => {
    const { frame, load } = listWith()
    expect(frame(1)).toBe(false)
    load([])
    expect(frame(1)).toBe(true)
  })

  it('not for the servers of the first frame, of which a member may list only some', () => {
    const { frame } = listWith([{ id: 1 }])
    expect(frame(5)).toBe(false)
  })

  it('every five seconds while many agents are being installed', () => {
    const { frame, wait } = listWith([{ id: 1 }])
    frame(1)
    expect(frame(2)).toBe(true)
    wait(2_000)
    expect(frame(40)).toBe(false)
    wait(3_000)
    expect(frame(40)).toBe(true)
  })
})
