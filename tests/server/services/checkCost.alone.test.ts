import { expect, it } from 'vitest'
import { serviceFixture } from '../../support/server/fixtures/serviceFixture.ts'

/** Microseconds of processor time for each check, with the history that it leaves. */
async function costOf(machines: number): Promise<number> {
  const { add, clock, services, hosts } = await serviceFixture({ machines })
  for (let id = 0; id < 20; id++) add({ target: `host-${id}:1`, duration: 10 })
  let spent = 0
  for (let tenths = 0; tenths < 220; tenths++) {
    clock.now += 100
    if (tenths % 20 === 0) for (const host of hosts) host.report({ at: new Date(clock.now) })
    const startedAt = process.cpuUsage()
    await services.checker.tick()
    await services.checker.idle()
    const { user, system } = process.cpuUsage(startedAt)
    spent += user + system
    if (tenths % 30 === 0) await services.recorder.save()
  }
  return spent / hosts.reduce((sum, { asked }) => sum + asked.length, 0)
}

it('a check costs no more with 2,000 servers than with 200', async () => {
  await costOf(200)
  const [few, many] = [await costOf(200), await costOf(2000)]
  expect(many).toBeLessThan(few * 2 + 5)
})
