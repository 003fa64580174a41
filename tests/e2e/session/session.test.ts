import type { BrowserContext, Page } from '@playwright/test'
import { call, send } from '../../support/journeys/apiCalls.ts'
import { expect, password, sessionCookies, signIn, test } from '../../support/journeys/journey.ts'
import { openWithStream } from '../../support/journeys/liveStream.ts'
import { isSamePage, mark } from '../../support/journeys/pageMark.ts'
import { signInByForm } from '../../support/journeys/signInForm.ts'
import { endSessions } from '../../support/server/changeDatabase.ts'

test.use({ seeded: 5 })

test.beforeEach(({ context }) => signIn(context))

const signInDialog = (page: Page) => page.getByRole('dialog', { name: 'Your session has ended.' })

async function signInAgain(page: Page) {
  const dialog = signInDialog(page)
  await expect(dialog.getByLabel('Username')).toHaveValue('admin')
  await dialog.getByLabel('Password', { exact: true }).fill(password)
  await dialog.getByRole('button', { name: 'Login' }).click()
  await expect(dialog).toBeHidden()
}

/** Every call of the API that leaves this browser from now on, as `POST nat`. */
function callsOf(context: BrowserContext): string[] {
  const calls: string[] = []
  context.on('request', (request) => {
    const path = new URL(request.url()).pathname
    if (path.startsWith('/api/v1/')) calls.push(`${request.method()} ${path.replace('/api/v1/', '')}`)
  })
  return calls
}

/** Ends the session at the moment that a call first leaves, so that it is this call which learns of it. */
function endWith(page: Page, method: string, call: string, dataDir: string) {
  let hasEnded = false
  return page.route(call, (route) => {
    if (!hasEnded && route.request().method() === method) {
      hasEnded = true
      endSessions(dataDir)
    }
    return route.continue()
  })
}

/** When this browser got its session, as the tab has stored it for the others. */
const receipt = (page: Page) => page.evaluate(() => localStorage.getItem('wheelhouse.session'))

/** Waits until both tabs know of a session that came after `before`: storage reaches another tab later than cookies. */
async function newReceipt(one: Page, two: Page, before: string | null): Promise<string | null> {
  await expect.poll(() => receipt(one)).not.toBe(before)
  const came = await receipt(one)
  await expect.poll(() => receipt(two)).toBe(came)
  return came
}

/** Makes a page call the server. */
async function read(page: Page) {
  const reply = page.waitForResponse('**/api/v1/server')
  await page.getByRole('button', { name: 'Refresh' }).click()
  await reply
}

test('a session that expires during a save asks for the password and keeps the form', async ({
  page,
  context,
  server,
}) => {
  await openWithStream(page, '/dashboard')
  await page.getByRole('row').nth(1).getByRole('link', { name: /^Edit/ }).click()
  const form = page.getByRole('dialog', { name: /^Edit/ })
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('kept through the night')
  await mark(page)
  const calls = callsOf(context)
  await endWith(page, 'PATCH', '**/api/v1/server/*', server.dataDir)
  await form.getByRole('button', { name: 'Save' }).click()

  await expect(signInDialog(page)).toBeVisible()
  expect(await sessionCookies(context)).toEqual([])
  await expect(page.getByRole('textbox', { name: 'Name', exact: true, includeHidden: true })).toHaveValue(
    'kept through the night',
  )
  await signInAgain(page)

  await expect(form).toBeHidden()
  await expect(page.getByRole('link', { name: /^kept through the night/ })).toBeVisible()
  expect(calls.filter((call) => call.startsWith('PATCH'))).toHaveLength(2)
  expect(await isSamePage(page)).toBe(true)
})

test('an expired session asks for the password once, however many requests were refused', async ({
  page,
  context,
  server,
}) => {
  await openWithStream(page, '/dashboard')
  await expect(page.getByRole('row')).toHaveCount(7)
  await mark(page)
  const calls = callsOf(context)
  await endWith(page, 'GET', '**/api/v1/cron', server.dataDir)
  await page.getByRole('link', { name: 'Task', exact: true }).click()

  await expect(signInDialog(page)).toHaveCount(1)
  // No other call is sent, for live metrics neither, until somebody has signed in.
  const before = calls.length
  await page.waitForTimeout(3000)
  expect(calls.slice(before)).toEqual([])
  await signInAgain(page)
  await expect(page.getByRole('heading', { name: 'Tasks', level: 1 })).toBeVisible()
  await expect(page.getByRole('table', { name: 'Tasks' })).toBeVisible()
  expect(await isSamePage(page)).toBe(true)

  // Live metrics go on as well.
  await page.getByRole('link', { name: 'Server', exact: true }).click()
  const machine = page.getByRole('row').filter({ hasText: /Online/ })
  await expect.poll(() => machine.innerText()).toMatch(/\d+\s?%/)
})

test('a bulk delete during which the session expired is repeated exactly once', async ({ page, context, server }) => {
  for (const name of ['alpha', 'beta']) await send(context, 'POST', 'server-group', { name, servers: [] })
  await openWithStream(page, '/dashboard/server-group')
  for (const name of ['alpha', 'beta']) {
    await page.getByRole('row').filter({ hasText: name }).getByRole('checkbox').check()
  }
  const answers: string[] = []
  page.on('response', async (response) => {
    if (response.url().includes('/batch-delete/')) answers.push(await response.text())
  })
  await endWith(page, 'POST', '**/api/v1/batch-delete/*', server.dataDir)
  await page.getByRole('button', { name: 'Delete selected' }).click()
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /^Delete/ })
    .click()
  await signInAgain(page)
  await expect(page.getByRole('row').filter({ hasText: 'alpha' })).toHaveCount(0)
  await expect.poll(() => answers).toEqual(['{"error":"ApiErrorUnauthorized"}', '{"success":true}'])
})

test('cancelling the password dialog leads to the login page, and from there back', async ({ page, server }) => {
  await openWithStream(page, '/dashboard')
  await expect(page.getByRole('row')).toHaveCount(7)
  // A list of which the servers' own needs no names: it is asked for at the click, and not before.
  await endWith(page, 'GET', '**/api/v1/nat', server.dataDir)
  await page.getByRole('link', { name: 'NAT traversal', exact: true }).click()
  await signInDialog(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(page).toHaveURL('/dashboard/login?ended=1&next=%2Fdashboard%2Fnat')
  await expect(page.getByRole('status')).toHaveText(/^Your session has ended: expired, ended by/)
  await signInByForm(page, 'admin', password)
  await expect(page.getByRole('heading', { name: 'NAT profiles', level: 1 })).toBeVisible()
})

test('an expired session at the start shows another message than no session', async ({ page, context, server }) => {
  endSessions(server.dataDir)
  const calls = callsOf(context)
  await page.goto('/dashboard/server-group?sort=name')
  await expect(page).toHaveURL(/\/dashboard\/login\?ended=1&next=%2Fdashboard%2Fserver-group/)
  await expect(page.getByLabel('Username')).toBeVisible()
  expect(await sessionCookies(context)).toEqual([])
  // The protected route came first, and the address was not blocked.
  await expect.poll(() => calls).toEqual(['GET profile', 'GET setting'])
  expect(await page.evaluate(() => localStorage.getItem('wheelhouse.person'))).toBeNull()
})

test('an unreachable server at the start does not end the session', async ({ page, context, faults }) => {
  await page.goto('/dashboard')
  await expect(page.getByRole('row')).toHaveCount(7)
  // Not the first call alone: the page that is being left asks for it as well, before it calls a public route.
  await page.route('**/api/v1/profile', (route) => route.abort('connectionrefused'))
  await page.reload()
  await expect(page.getByRole('alert')).toHaveText(/^The server cannot be reached/)
  expect((await context.cookies()).map(({ name }) => name)).toContain('nz-jwt')
  await page.unroute('**/api/v1/profile')
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByRole('row')).toHaveCount(7)
  faults.splice(0, faults.length, ...faults.filter((fault) => !fault.includes('ERR_CONNECTION_REFUSED')))
})

test('two tabs renew their session only once', async ({ context }) => {
  await context.clock.install()
  const [one, two] = [await context.newPage(), await context.newPage()]
  for (const page of [one, two]) {
    await page.goto('/dashboard')
    await expect(page.getByRole('row')).toHaveCount(7)
  }
  // The age of a session from elsewhere is not known: it is renewed at once, and its age is known from then on.
  const first = await newReceipt(one, two, null)
  const calls = callsOf(context)
  await context.clock.fastForward('40:00')
  for (const page of [one, two]) await read(page)
  expect(renewals(calls)).toBe(0)
  await context.clock.fastForward('06:00')
  await newReceipt(one, two, first)
  expect(renewals(calls)).toBe(1)
  await context.clock.fastForward('20:00')
  for (const page of [one, two]) await read(page)
  expect(renewals(calls)).toBe(1)
})

test('a client clock that is wrong by a day does not affect the session', async ({ context, page }) => {
  await context.clearCookies()
  await context.clock.install({ time: Date.now() - 24 * 3600_000 })
  const calls = callsOf(context)
  await page.goto('/dashboard/login')
  await signInByForm(page, 'admin', password)
  await expect(page.getByRole('row')).toHaveCount(7)
  await page.clock.fastForward('40:00')
  expect(renewals(calls)).toBe(0)
  await page.clock.fastForward('06:00')
  await expect.poll(() => renewals(calls)).toBe(1)
  await expect(signInDialog(page)).toHaveCount(0)
})

test('signing out in one tab signs out all tabs and keeps theme, language and table preferences', async ({
  context,
  page: one,
}) => {
  const two = await context.newPage()
  for (const page of [one, two]) {
    await page.goto('/dashboard')
    await expect(page.getByRole('row')).toHaveCount(7)
  }
  await one.evaluate(() => localStorage.setItem('wheelhouse.theme', 'dark'))
  await one.getByRole('button', { name: 'View options' }).click()
  const compact = one.getByRole('menuitemcheckbox', { name: 'Compact rows' })
  await compact.click()
  await expect(compact).toBeChecked()
  await one.keyboard.press('Escape')
  // A form with something in it is no reason to stay signed in.
  await two.getByRole('row').nth(1).getByRole('link', { name: /^Edit/ }).click()
  await two.getByRole('dialog').getByRole('textbox', { name: 'Name', exact: true }).fill('unsaved')

  await one.getByRole('button', { name: /^User menu/ }).click()
  await one.getByRole('menuitem', { name: 'Logout' }).click()
  for (const page of [one, two]) await expect(page).toHaveURL('/dashboard/login')
  expect(await sessionCookies(context)).toEqual([])
  for (const page of [one, two]) {
    const stored = await page.evaluate(() => [Object.keys(localStorage), Object.keys(sessionStorage)].flat())
    expect(stored.filter((key) => /person|names|draft/.test(key))).toEqual([])
  }
  const choices = await one.evaluate(() => Object.entries(localStorage))
  expect(choices).toContainEqual(['wheelhouse.theme', 'dark'])
  expect(choices).toContainEqual(['wheelhouse.choices.table.dense', 'true'])
})

test('no secret is stored in the browser after visiting all screens', async ({ context, page }) => {
  const secrets = ['s3cret-token-of-ddns', 'https://hook.example/s3cret']
  await call(context, 'POST', 'ddns', { name: 'zone', provider: 'webhook', access_secret: secrets[0], domains: [] })
  await call(context, 'POST', 'notification', { name: 'pager', url: secrets[1], skip_check: true })
  await page.goto('/dashboard')
  await expect(page.getByRole('row')).toHaveCount(7)
  const links = page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link')
  for (const link of await links.all()) {
    await link.click()
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  }
  await page.goto('/dashboard/notification')
  await expect(page.getByRole('row').filter({ hasText: 'pager' })).toBeVisible()

  // Names are stored a moment after they have come.
  await expect.poll(() => page.evaluate(() => Object.keys(localStorage))).toContain('wheelhouse.names.server')
  const stored = await page.evaluate(() => [localStorage, sessionStorage].flatMap((store) => Object.entries(store)))
  const keys = stored.map(([key]) => key)
  expect(keys).toContain('wheelhouse.person')
  const allowed =
    /^wheelhouse\.(person|session|providers|names\.(server|notification)|choices\.(table|views)\..*|theme|locale|site-language|seen\..*|live\..*)$/
  expect(keys.filter((key) => !allowed.test(key))).toEqual([])
  // There are troubles while the machine is offline.
  const person = Object.keys(JSON.parse(Object.fromEntries(stored)['wheelhouse.person'] ?? ''))
  expect(person.filter((key) => key !== 'troubles').sort()).toEqual(['createdAt', 'fullName', 'id', 'loginIp', 'role'])
  const tokens = (await context.cookies()).flatMap(({ value }) => value.split('.').filter(Boolean))
  const profile = (await call(context, 'GET', 'profile')) as { data: { agent_secret: string } }
  const text = JSON.stringify(stored)
  expect([...secrets, ...tokens, profile.data.agent_secret, password].filter((one) => text.includes(one))).toEqual([])
})

const renewals = (calls: readonly string[]) => calls.filter((one) => one.endsWith(' refresh-token')).length
