import { describe, expect, it, vi } from 'vitest'
import { createPlaceQueue, type PlaceLimits } from '../../../server/concurrency/placeQueue.ts'

function queue(limits: Partial<PlaceLimits>) {
  const places = createPlaceQueue({ perKey: 2, total: 3, waiting: 10, waitMs: 1000, ...limits })
  const events: string[] = []
  const enter = (name: string, key: string) =>
    places.enter(key, {
      onPlace: () => events.push(`${name} has a place`),
      onRefused: (reached) => events.push(`${name} is refused: ${reached}`),
    })
  return { places, events, enter }
}

describe('places for connections', () => {
  it('are limited for each address and in total, and are given back once', () => {
    const { places, events, enter } = queue({ waiting: 0 })
    const release = enter('a', 'one')
    for (const [name, key] of Object.entries({ b: 'one', c: 'one', d: 'two', e: 'two' })) enter(name, key)
    expect(events).toEqual([
      'a has a place',
      'b has a place',
      'c is refused: key',
      'd has a place',
      'e is refused: total',
    ])
    release()
    release()
    expect(places.count()).toBe(2)
    enter('f', 'two')
    expect(events.at(-1)).toBe('f has a place')
  })

  it('go to who has waited longest; where only the total is reached, addresses take turns', () => {
    const { events, enter } = queue({ perKey: 3, total: 3 })
    const releases = ['a', 'b', 'c'].map((name) => enter(name, 'one'))
    const gone = enter('d', 'one')
    for (const [name, key] of Object.entries({ e: 'two', f: 'two', g: 'three' })) enter(name, key)
    gone()
    for (const release of releases) release()
    expect(events.slice(3)).toEqual(['e has a place', 'g has a place', 'f has a place'])
  })

  it('are refused when none is free in time, or when too many wait', () => {
    vi.useFakeTimers()
    try {
      const { places, events, enter } = queue({ perKey: 1, waiting: 1 })
      enter('a', 'one')
      const release = enter('b', 'one')
      enter('c', 'one')
      vi.advanceTimersByTime(1000)
      release()
      expect(events).toEqual(['a has a place', 'c is refused: key', 'b is refused: key'])
      expect(places.count()).toBe(1)
    } finally {
      vi.useRealTimers()
    }
  })
})
