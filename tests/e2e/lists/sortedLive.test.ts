import { test } from '../../support/journeys/fleet.ts'
import { expect, signIn } from '../../support/journeys/journey.ts'
import { serverList } from '../../support/journeys/serverList.ts'

const names = Array.from({ length: 40 }, (_, at) => `machine-${at + 10}`)
test.use({ fleet: names })

test('rows that a sort by load or another page brings have the state and the load of now, not those of their records', async ({
  page,
  context,
  machines,
}) => {
  let loadOf = (_index: number) => 50
  const report = () => {
    for (const [index, machine] of machines.entries()) {
      machine.report({ host: { mem_total: 2 ** 30 }, state: { cpu: loadOf(index), mem_used: 2 ** 29 } })
    }
  }
  // Their records say from now on that they are offline and had half of all processors.
  report()
  for (const machine of machines) machine.disconnect()
  await signIn(context)
  const list = serverList(page)
  await page.goto('/dashboard?pageSize=10')
  await expect(list.rows).toHaveCount(10)
  await expect(list.rows.first()).toContainText('Offline')
  loadOf = (index) => index + 1
  report()
  const timer = setInterval(report, 500)
  try {
    for (let at = 0; at < 10; at++) await expect(list.rows.nth(at)).toContainText('Online')
    const shown = () => list.rows.getByRole('link', { name: /^machine/ }).allInnerTexts()
    await list.sortBy('CPU')
    await expect(list.heading('CPU')).toHaveAttribute('aria-sort', 'ascending')
    await expect.poll(shown).toEqual(names.slice(0, 10))
    await list.sortBy('CPU')
    await expect.poll(shown).toEqual(names.toReversed().slice(0, 10))
    for (let at = 0; at < 10; at++) await expect(list.rows.nth(at)).toContainText(`${40 - at}%`)

    await page.getByRole('button', { name: /next page/i }).click()
    await expect.poll(shown).toEqual(names.toReversed().slice(10, 20))
    for (let at = 0; at < 10; at++) await expect(list.rows.nth(at)).toContainText(`${30 - at}%`)
    loadOf = (index) => index + 55
    await expect(list.rows.nth(0)).toContainText('84%')
    expect(await shown()).toEqual(names.toReversed().slice(10, 20))
  } finally {
    clearInterval(timer)
  }
})
