import { join } from 'node:path'
import { expect, it } from 'vitest'
import { killFleet } from '../../support/fleet/killFleet.ts'
import { escalationsOfOutage } from '../../support/fleet/killStory.ts'
import { temporaryFolder } from '../../support/server/temporaryFolder.ts'

it('nothing is lost and nothing is told twice when the console is killed again and again at random moments', async () => {
  const { outages, messages, escalated, faults } = await killFleet({
    database: join(temporaryFolder(), 'data.sqlite'),
    kills: 10,
    seed: 39,
    messages: 0,
  })
  expect(faults).toEqual([])
  expect(messages).toBe(2 * outages)
  expect(escalated).toBe((escalationsOfOutage + 1) * outages)
})
