import { test } from '../../support/journeys/fleet.ts'
import { expect, signIn } from '../../support/journeys/journey.ts'
import { serverList } from '../../support/journeys/serverList.ts'
import type { TestHost } from '../../support/server/testHost.ts'

test.use({ fleet: ['anchor', 'buoy', 'capstan'] })

const load = (machine: TestHost | undefined, cpu: number) =>
  machine?.report({ host: { mem_total: 2 ** 30, version: '1.0.0' }, state: { cpu } })

test('rows sorted by load keep their order while metrics change, until sorted again', async ({
  page,
  context,
  machines: [anchor, buoy, capstan],
}) => {
  let loads: readonly [number, number, number] = [10, 50, 90]
  const report = () => {
    for (const [index, machine] of [anchor, buoy, capstan].entries()) load(machine, loads[index] ?? 0)
  }
  report()
  const timer = setInterval(report, 500)
  try {
    await signIn(context)
    const list = serverList(page)
    await page.goto('/dashboard')
    await expect(list.rows).toHaveCount(3)
    const names = () => list.rows.getByRole('link', { name: /^(anchor|buoy|capstan)/ }).allInnerTexts()
    await list.sortBy('CPU')
    await list.sortBy('CPU')
    await expect(list.heading('CPU')).toHaveAttribute('aria-sort', 'descending')
    await expect.poll(names).toEqual(['capstan', 'buoy', 'anchor'])

    loads = [95, 40, 5]
    await expect(list.rows.nth(2)).toContainText('95%')
    await expect(list.rows.nth(0)).toContainText('5%')
    loads = [94, 41, 6]
    await expect(list.rows.nth(2)).toContainText('94%')
    expect(await names()).toEqual(['capstan', 'buoy', 'anchor'])

    await list.sortBy('CPU')
    await expect(list.heading('CPU')).toHaveAttribute('aria-sort', 'ascending')
    await list.sortBy('CPU')
    await expect.poll(names).toEqual(['anchor', 'buoy', 'capstan'])
  } finally {
    clearInterval(timer)
  }
})
