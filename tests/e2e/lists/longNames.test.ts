import type { Locator } from '@playwright/test'
import { call, send } from '../../support/journeys/apiCalls.ts'
import { boxOf } from '../../support/journeys/boxOf.ts'
import { cutTexts } from '../../support/journeys/cutTexts.ts'
import { expect, signIn, test } from '../../support/journeys/journey.ts'
import { allServers } from '../../support/journeys/serverList.ts'

test.use({ seeded: 3, hasTouch: true, serverName: 'long names', viewport: { width: 390, height: 844 } })

test.beforeEach(({ context }) => signIn(context))

const longName = 'name-without-a-space-'.repeat(6)

/** The last button of the first line of a card stands at its right edge, and the checkbox at its left one. */
async function expectLineIsFull(card: Locator): Promise<void> {
  const { x, right } = await boxOf(card)
  expect(right - (await boxOf(card.locator('header > :last-child'))).right).toBeLessThan(12)
  const checkbox = card.getByRole('checkbox')
  if ((await checkbox.count()) === 0) return
  const { x: left, right: end } = await boxOf(checkbox)
  expect((left + end) / 2 - x).toBeCloseTo(9 + 44 / 2, 0)
}

test('on a phone a name of 120 letters cuts off neither a form nor what is beside it', async ({ page, context }) => {
  const [server] = await allServers(page)
  if (!server) throw new Error('No server is seeded.')
  await send(context, 'PATCH', `server/${server.id}`, { ...server, name: longName })
  const rules = [{ type: 'cpu', max: 90, duration: 3, cover: 1, ignore: { [server.id]: true } }]
  const form = { trigger_mode: 0, notification_group_id: 0, enable: true, rules }
  const ids = []
  for (const name of ['short', longName]) ids.push(await send(context, 'POST', 'alert-rule', { ...form, name }))
  await send(context, 'POST', 'alert-rule', { ...form, name: 'off', enable: false })
  const ends_at = new Date(Date.now() + 3_600_000).toISOString()
  // Of a rule alone: beside a server that is muted stands until when, too.
  const mute = { server_id: server.id, rule_id: ids[0], service_id: 0, ends_at }
  for (const name of ['short', longName]) await call(context, 'POST', 'wheelhouse/mutes', { ...mute, name })

  // A form is as wide as the phone, whatever the names in it.
  await page.goto(`/dashboard/alert-rule/${ids[1]}`)
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText(`on ${longName}`)).toBeVisible()
  await expect.poll(() => cutTexts(page)).toEqual([])

  for (const path of ['', '/alert-rule', '/mute', '/settings/audit']) {
    await page.goto(`/dashboard${path}`)
    const cards = page.locator('main li[data-row]')
    await expect(cards.nth(1)).toBeVisible()
    for (const card of (await cards.all()).slice(0, 5)) await expectLineIsFull(card)
    // Whatever stands beside a name takes two lines at most.
    for (const beside of await page.locator('main li[data-row] > header > .beside').all()) {
      expect((await boxOf(beside)).height).toBeLessThan(40)
    }
    await expect.poll(() => cutTexts(page), path).toEqual([])
  }

  // A flag that is off is told in a word.
  await page.goto('/dashboard/alert-rule')
  const off = page.locator('main li[data-row]').filter({ hasText: 'off' }).getByText('No', { exact: true })
  expect((await boxOf(off)).height).toBeGreaterThan(10)
})
