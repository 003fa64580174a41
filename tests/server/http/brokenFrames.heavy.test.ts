import { describe, expect, it } from 'vitest'
import { fuzzFrames } from '../../../scripts/fuzz/frames.ts'

/** As many as make each answer below likely a dozen times; `npm run fuzz` sends more. */
const connections = 3000

describe('a server and a gateway that get broken frames over 3,000 connections', () => {
  it('go on, give their memory back, serve others meanwhile, and log no trace', async () => {
    const seed = Date.now() % 1_000_000
    console.info(`To repeat it: npm run fuzz -- --requests 0 --agents 0 --seed ${seed}`)
    const { faults, answers, forwarded, waits } = await fuzzFrames({ seed, count: connections, atOnce: 6 })
    expect(faults.join('\n'), `seed ${seed}`).toBe('')
    // Enough must be read and answered at each border, or nothing was tried there.
    const answered = ['HTTP/1: a request 200', 'HTTP/2: frames frames', 'gRPC: calls frames', 'WebSocket: frames 101']
    for (const answer of [...answered, 'upstream: replies 200', 'upstream: replies 502', 'upstream: sockets 101'])
      expect(answers[answer], answer).toBeGreaterThan(0)
    expect(forwarded).toBeGreaterThan(0)
    // Others had their turn all the time; how long they wait on a busy machine says nothing.
    expect(waits.length).toBeGreaterThan(100)
  })
})
