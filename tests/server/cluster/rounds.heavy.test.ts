import { expect, it } from 'vitest'
import { soakCluster } from '../../../scripts/soak/soakCluster.ts'

it('nodes that are killed, stopped and cut off lose nothing that was acknowledged, and never lead at once', async () => {
  const { lines, faults } = await soakCluster({ rounds: 4, onProgress: () => {} })
  expect(faults, lines.join('\n')).toEqual([])
})
