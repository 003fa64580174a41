import type { Page } from '@playwright/test'
import { terminalPane } from '../../support/console/terminalPage.ts'
import { call } from '../../support/journeys/apiCalls.ts'
import { expect, sessionCookies, signIn, test } from '../../support/journeys/journey.ts'
import { holdClock } from '../../support/journeys/traffic.ts'

// Trouble of other journeys would need more parts.
test.use({ serverName: 'without trouble' })

/** Paths of the API that the page asks for, in their order. */
function listenToCalls(page: Page): string[] {
  const paths: string[] = []
  page.on('request', (request) => {
    const [, path] = /\/api\/v1\/([^?]*)/.exec(request.url()) ?? []
    if (path !== undefined && request.resourceType() === 'fetch') paths.push(path)
  })
  return paths
}

const isFile = (name: string) => (url: URL) => new RegExp(`/assets/${name}-[^/]+\\.js$`).test(url.pathname)
const table = (page: Page) => page.getByRole('table', { name: 'Servers' }).locator('tr[data-row]')

/** What the strip of trouble asks for, and the list does without. */
const troublePaths = ['wheelhouse/silences', 'wheelhouse/agents/turned-away']

test('a start with a session asks for the profile, the settings and the servers once each', async ({
  page,
  context,
}) => {
  await signIn(context)
  await holdClock(page)
  const calls = listenToCalls(page)
  await page.goto('/dashboard')
  await expect(table(page)).toHaveCount(1)
  await page.waitForLoadState('networkidle')
  for (const path of ['profile', 'setting', 'server', 'server-group']) {
    expect(
      calls.filter((call) => call === path),
      path,
    ).toHaveLength(1)
  }
})

test('the first list needs no part and no texts that are fetched on demand, and menus and other lists come after it', async ({
  page,
  context,
}) => {
  await signIn(context)
  const scripts: string[] = []
  page.on('request', (request) => {
    const [, name] = /\/assets\/(.*)-.{8}\.js$/.exec(request.url()) ?? []
    if (name !== undefined) scripts.push(name)
  })
  const calls = listenToCalls(page)
  const { promise: isWanted, resolve: letServersCome } = Promise.withResolvers<void>()
  await page.route('**/api/v1/server', async (route) => {
    await isWanted
    await route.continue()
  })
  await page.goto('/dashboard')
  await expect(page.getByRole('button', { name: /^User menu/ })).toBeVisible()
  const needed = ['console', 'feed.worker', 'index', 'rolldown-runtime']
  await expect.poll(() => scripts.toSorted()).toEqual(needed)
  // The settings have come, which tell what the server can be asked for.
  await expect.poll(() => calls).toContain('wheelhouse/alarms')
  expect(calls.filter((path) => troublePaths.includes(path))).toEqual([])
  letServersCome()
  await expect.poll(() => calls).toEqual(expect.arrayContaining(troublePaths))
  await expect(page.getByRole('navigation', { name: 'Summary' }).getByRole('link')).not.toHaveCount(0)
  await expect.poll(() => scripts).toEqual(expect.arrayContaining(['dialogs', 'lists', 'texts']))
})

test('servers are asked for before the code of the list has come, and shown when it has', async ({ page, context }) => {
  await signIn(context)
  const asked = page.waitForRequest('**/api/v1/server-group')
  await page.route(isFile('console'), async (route) => {
    await asked
    await route.continue()
  })
  await page.goto('/dashboard')
  await expect(table(page)).toHaveCount(1)
})

test('the console is asked for while the entry is still on its way', async ({ page, context }) => {
  await signIn(context)
  const asked = page.waitForRequest((request) => isFile('console')(new URL(request.url())))
  await page.route(isFile('index'), async (route) => {
    await asked
    await route.continue()
  })
  await page.goto('/dashboard')
  await expect(table(page)).toHaveCount(1)
})

test('who is signed in, and the servers, are asked for while the entry is still on its way', async ({
  page,
  context,
}) => {
  await signIn(context)
  const asked = Promise.all([page.waitForRequest('**/api/v1/profile'), page.waitForRequest('**/api/v1/server')])
  await page.route(isFile('index'), async (route) => {
    await asked
    await route.continue()
  })
  await page.goto('/dashboard')
  await expect(table(page)).toHaveCount(1)
})

test('texts of the chosen language are asked for together with the console', async ({ page, context }) => {
  await signIn(context)
  await context.addInitScript(() => localStorage.setItem('wheelhouse.locale', 'de-DE'))
  const asked = page.waitForRequest((request) => isFile('texts')(new URL(request.url())))
  await page.route(isFile('index'), async (route) => {
    await asked
    await route.continue()
  })
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { name: /^Server/ })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', 'de-DE')
})

test('English texts of a large page are asked for together with the console', async ({ page, context }) => {
  await signIn(context)
  const asked = page.waitForRequest((request) => isFile('texts')(new URL(request.url())))
  await page.route(isFile('index'), async (route) => {
    await asked
    await route.continue()
  })
  await page.goto('/dashboard/profile')
  await expect(page.getByRole('heading', { name: 'Profile' })).toBeVisible()
})

test('a session that has ended calls nothing that counts as an attack, and leads to the sign-in form', async ({
  page,
  context,
}) => {
  await signIn(context)
  const savedCookies = await context.cookies()
  await call(context, 'POST', 'wheelhouse/logout')
  await context.addCookies(savedCookies)
  const calls = listenToCalls(page)
  await page.goto('/dashboard')
  await expect(page.getByLabel('Username')).toBeVisible()
  await expect.poll(() => calls).toContain('setting')
  expect(calls.slice(0, 2).toSorted()).toEqual(['profile', 'server'])
  expect(await sessionCookies(context)).toEqual([])
})

test('the shell of a terminal is asked for once, while the console is still on its way', async ({ page, context }) => {
  await signIn(context)
  await holdClock(page)
  const calls = listenToCalls(page)
  const asked = page.waitForRequest('**/api/v1/terminal')
  await page.route(isFile('console'), async (route) => {
    await asked
    await route.continue()
  })
  await page.goto('/dashboard/terminal/1')
  await terminalPane(page).expectText(/\S/)
  for (const path of ['profile', 'setting', 'terminal']) {
    expect(
      calls.filter((call) => call === path),
      path,
    ).toHaveLength(1)
  }
})

test('the prompt of a terminal is shown, and typed at, before the console has come', async ({ page, context }) => {
  await signIn(context)
  const { promise: isTyped, resolve: letConsoleCome } = Promise.withResolvers<void>()
  await page.route(isFile('console'), async (route) => {
    await isTyped
    await route.continue()
  })
  await page.goto('/dashboard/terminal/1')
  const rows = page.locator('.xterm-rows')
  await expect(rows).toContainText(/[#$]/)
  await expect(rows).toBeVisible()
  await page.keyboard.type('echo $((20 + 22))')
  expect(await page.getByRole('heading').count()).toBe(0)
  letConsoleCome()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: /Terminal \(1\)/ })).toBeVisible()
  const pane = terminalPane(page)
  await pane.expectText(/^42$/m)
  // The prompt was drawn once: what the page shows begins with it.
  expect((await pane.lines()).join('\n').match(/echo/g)).toHaveLength(1)
  await expect(rows).toHaveCount(1)
})

test('the console is asked for when the prompt of a terminal is shown, or half a second after the navigation', async ({
  page,
  context,
}) => {
  await signIn(context)
  await context.addInitScript(() => {
    const observer = new MutationObserver(() => {
      if (!document.querySelector('.terminal-place.shown')) return
      observer.disconnect()
      performance.mark('prompt')
    })
    observer.observe(document, { subtree: true, childList: true, attributes: true })
  })
  await page.goto('/dashboard/terminal/1')
  await expect(page.getByRole('heading', { name: /Terminal \(1\)/ })).toBeVisible()
  const { prompt, console, entry } = await page.evaluate(() => {
    const startOf = (name: string) =>
      Math.min(...performance.getEntries().flatMap((found) => (found.name.includes(name) ? [found.startTime] : [])))
    return { prompt: startOf('prompt'), console: startOf('/assets/console-'), entry: startOf('/assets/index-') }
  })
  expect(entry).toBeLessThan(console)
  // A timer may be early by a part of a millisecond.
  expect(console).toBeGreaterThan(Math.min(prompt, 500) - 1)
})

test('the prompt of a terminal makes room for the reason why the console does not come', async ({
  page,
  context,
  faults,
}) => {
  await signIn(context)
  const { promise: isShown, resolve: refuseConsole } = Promise.withResolvers<void>()
  await page.route(isFile('console'), async (route) => {
    await isShown
    await route.abort()
  })
  await page.goto('/dashboard/terminal/1')
  const rows = page.locator('.xterm-rows')
  await expect(rows).toContainText(/[#$]/)
  refuseConsole()
  await expect(page.getByRole('button', { name: 'Reload' })).toBeVisible()
  await expect(rows).toBeHidden()
  const isExpected = (fault: string) => /net::ERR_FAILED|dynamically imported module: \S+\/console-/.test(fault)
  await expect.poll(() => faults.filter(isExpected).length).toBeGreaterThan(0)
  faults.splice(0, faults.length, ...faults.filter((fault) => !isExpected(fault)))
})

test('a session that has ended opens no terminal, and is not sent to a public route', async ({ page, context }) => {
  await signIn(context)
  const savedCookies = await context.cookies()
  await call(context, 'POST', 'wheelhouse/logout')
  await context.addCookies(savedCookies)
  const calls = listenToCalls(page)
  const setting = page.waitForRequest('**/api/v1/setting')
  const terminal = page.waitForRequest('**/api/v1/terminal')
  await page.route('**/api/v1/profile', async (route) => {
    await terminal
    await route.continue()
  })
  await page.goto('/dashboard/terminal/1')
  await expect(page.getByLabel('Username')).toBeVisible()
  expect((await (await setting).allHeaders()).cookie ?? '').not.toContain('nz-jwt')
  expect(calls.toSorted()).toEqual(['profile', 'setting', 'terminal'])
})

test('nobody without a session asks for the console before the form stands', async ({ page }) => {
  const files: string[] = []
  page.on('request', (request) => files.push(request.url()))
  await page.route('**/api/v1/setting', async (route) => {
    await expect(page.getByLabel('Username')).toBeVisible()
    await route.continue()
  })
  const answered = page.waitForResponse('**/api/v1/setting')
  await page.goto('/dashboard/login')
  await answered
  await expect(page.getByLabel('Username')).toBeVisible()
  const form = files.findIndex((url) => url.endsWith('/setting'))
  expect(files.slice(0, form).filter((url) => isFile('console')(new URL(url)))).toEqual([])
})
