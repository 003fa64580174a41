import { expect, it } from 'vitest'
import { soakAnonymousClients } from '../../../scripts/soak/soakAnonymousClients.ts'

it.runIf(process.platform === 'linux')(
  'a server with 2,000 idle sockets and 100 slow bodies of clients without a session answers who has signed in',
  async () => {
    // Each socket gets a frame every two seconds, and with the fourth a ping.
    const { faults, oneAddress, bodies, list } = await soakAnonymousClients({ holdMs: 9000 })
    // The 300 ms of `npm run soak -- anonymous` are for a machine without other work.
    expect(faults.filter((fault) => !fault.startsWith('A list took'))).toEqual([])
    expect(list.slowest).toBeLessThan(2000)
    expect(oneAddress).toEqual({ 101: 64, 429: 1936 })
    expect(bodies).toEqual({ 200: 33, 404: 33, open: 34 })
  },
)
