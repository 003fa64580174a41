import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { recordTraffic } from '../../../scripts/bench/console/traffic.ts'
import { measureEntry, measurePlainList } from '../../../scripts/build/bundleSize.ts'
import { expect, signIn, test } from '../../support/journeys/journey.ts'
import { root } from '../../support/root.ts'

/** What the last accepted builds took, newest first, in bytes as served; `why` says what the bytes were spent on. */
interface Accepted {
  login: number
  list: number
  why: string
}

const file = 'scripts/bench/accepted.json'
const history: Accepted[] = JSON.parse(readFileSync(join(root, file), 'utf8'))
const [accepted] = history

/** Bytes. On a slow line (1.44 Mbit/s) half a second for the form, which everybody waits for; under two for the list. */
const limits = { login: 80_000, list: 300_000 }
/** Six at a time go over one connection of HTTP/1.1; on a slow line each further row of six waits for a round trip. */
const maxRequests = 20
const growth = 1.1
/** Bytes of the list inside a Nezha server, which compresses nothing; with its headers it has to stay below 1.0 MB. */
const plainList = 972_000

function expectToFit(what: 'login' | 'list', bytes: number): void {
  const before = accepted?.[what] ?? 0
  const advice = `make it lighter, or put what it takes now at the front of ${file}, with a sentence why`
  expect(bytes, 'nothing was measured').toBeGreaterThan(1000)
  expect(bytes, `${what}: over the budget`).toBeLessThanOrEqual(limits[what])
  expect(bytes, `${what}: more than 10 % above the last accepted build; ${advice}`).toBeLessThanOrEqual(before * growth)
}

test('the sign-in form stays within its accepted size', () => {
  expectToFit('login', measureEntry(join(root, 'dist')))
})

test('the server list stays within its accepted size, compressed and with immutable caching', async ({
  page,
  context,
}) => {
  await signIn(context)
  const traffic = recordTraffic(page)
  await page.goto('/dashboard')
  await expect(page.getByRole('table', { name: 'Servers' }).locator('tr[data-row]')).toHaveCount(1)
  await page.waitForLoadState('networkidle')
  expectToFit('list', await traffic.codeBytes(Number.POSITIVE_INFINITY))
  expect(traffic.total(), 'requests until the list is complete').toBeLessThanOrEqual(maxRequests)
  expect(await traffic.notImmutable()).toEqual([])
})

test('the server list stays within what it may take uncompressed', () => {
  const bytes = measurePlainList(join(root, 'dist'))
  expect(bytes, 'nothing was measured').toBeGreaterThan(1000)
  expect(bytes).toBeLessThanOrEqual(plainList)
})

test('the console tells the browser to compile it while it comes, in its first line', async ({ page, context }) => {
  await signIn(context)
  const loaded = page.waitForResponse((response) => /\/console-[^/]+\.js$/.test(response.url()))
  await page.goto('/dashboard')
  expect(await (await loaded).text()).toMatch(/^\/\/# allFunctionsCalledOnLoad\n/)
})

test('the status page stays within 60 kB', async ({ page }) => {
  const traffic = recordTraffic(page)
  await page.goto('/')
  await expect(page.getByRole('combobox', { name: 'Language' })).toBeVisible()
  await page.waitForLoadState('networkidle')
  const bytes = await traffic.codeBytes(Number.POSITIVE_INFINITY)
  expect(bytes, 'nothing was measured').toBeGreaterThan(1000)
  // Its style and its data come in the page itself, which is a few kB with one server.
  expect(bytes).toBeLessThanOrEqual(50_000)
  expect(await traffic.notImmutable()).toEqual([])
})

test('every accepted size has a reason', () => {
  expect(history.length).toBeGreaterThan(0)
  for (const { login, list, why } of history) {
    expect([typeof login, typeof list]).toEqual(['number', 'number'])
    expect(why).toMatch(/^\p{Lu}.{20,}\.$/u)
  }
})
