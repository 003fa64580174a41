import { expect, it } from 'vitest'
import { soakStrangers } from '../../../scripts/soak/soakStrangers.ts'

it.runIf(process.platform === 'linux')(
  'a server with 2,000 idle sockets and 100 slow bodies of strangers answers who has signed in within 300 ms',
  { timeout: 120_000 },
  async () => {
    // Each socket gets a frame every two seconds, and with the fourth a ping.
    const { faults, oneAddress, bodies } = await soakStrangers({ holdMs: 9000 })
    expect(faults).toEqual([])
    expect(oneAddress).toEqual({ 101: 64, 429: 1936 })
    expect(bodies).toEqual({ 200: 33, 404: 33, open: 34 })
  },
)
