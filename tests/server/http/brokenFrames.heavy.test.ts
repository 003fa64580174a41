import { describe, expect, it } from 'vitest'
import { fuzzFrames } from '../../../scripts/fuzz/frames.ts'

/** Milliseconds of the run, and for what starts, settles and ends. */
const runMs = 60_000
const timeout = 240_000

describe('a server and a gateway that get broken frames for a minute', () => {
  it('go on, give their memory back, serve others meanwhile, and log no trace', { timeout }, async () => {
    const seed = Date.now() % 1_000_000
    console.info(`To repeat it: npm run fuzz -- --requests 0 --agents 0 --seed ${seed}`)
    const { faults, kinds, waits } = await fuzzFrames({ seed, forMs: runMs, atOnce: 6 })
    expect(faults, `seed ${seed}`).toEqual([])
    for (const border of ['HTTP/1', 'HTTP/2', 'gRPC', 'WebSocket', 'upstream'])
      expect(Object.keys(kinds).join()).toContain(border)
    // Others had their turn all the time; how long they wait on a busy machine says nothing.
    expect(waits.length).toBeGreaterThan(100)
  })
})
