import type { BrowserContext, Page } from '@playwright/test'
import type { OidcProvider } from '../../support/fakes/oidcProvider.ts'
import { expect, signIn, test } from '../../support/journeys/journey.ts'
import { openWithStream } from '../../support/journeys/liveStream.ts'
import { expectToast } from '../../support/journeys/toasts.ts'
import { endSessions } from '../../support/server/changeDatabase.ts'

test.use({ hasProvider: true, seeded: 2 })

test.beforeEach(({ provider }) => void Object.assign(provider as OidcProvider, { account: '4711', consents: true }))

// The provider is another host, which no other journey may turn to.
test.afterEach(({ provider, faults }) => {
  faults.splice(0, faults.length, ...faults.filter((fault) => !fault.includes(`request to ${provider?.issuer}`)))
})

/** Binds the provider's account to the admin, by the call that the profile makes. */
async function bind(context: BrowserContext) {
  await signIn(context)
  const page = await context.newPage()
  const reply = await context.request.get('/api/v1/oauth2/GitHub?type=2')
  const { data } = (await reply.json()) as { data: { redirect: string } }
  // A page renews its first session at once: a reply that came later would sign in who has cleared the cookies.
  const renewed = page.waitForResponse('**/api/v1/refresh-token')
  await page.goto(data.redirect)
  await expect(page).toHaveURL(/\/dashboard\/profile/)
  await renewed
  await page.close()
}

const servers = (page: Page) => page.getByRole('table', { name: 'Servers' })

test('signing in with OAuth2 leads to the requested page, and signing out works', async ({ page, context }) => {
  await bind(context)
  await context.clearCookies()
  await page.goto('/dashboard/server-group')
  await expect(page.getByText('Please Log in first')).toBeVisible()
  await expect(page.getByLabel('Username')).toBeVisible()
  await page.getByRole('button', { name: 'Continue with GitHub' }).click()

  await expect(page).toHaveURL('/dashboard/server-group')
  await expect(page.getByRole('heading', { name: 'Server groups', level: 1 })).toBeVisible()
  const token = (await context.cookies()).find(({ name }) => name === 'nz-jwt')?.value
  await page.getByRole('button', { name: /^User menu/ }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/dashboard/login')
  // Not only this browser has forgotten the session.
  const stolen = await context.request.get('/api/v1/profile', { headers: { authorization: `Bearer ${token}` } })
  expect(await stolen.json()).toEqual({ error: 'ApiErrorUnauthorized' })
})

test('the profile links an OAuth2 account, shows it, and lists the sessions', async ({ page, context }) => {
  await bind(context)
  await page.goto('/dashboard/profile')
  await page.getByRole('button', { name: 'Unbind GitHub' }).click()
  await page.getByRole('button', { name: 'Bind GitHub' }).click()
  await expectToast(page, /GitHub is now bound. You can sign in with it/)
  await expect(page).toHaveURL('/dashboard/profile')
  await expect(page.getByRole('button', { name: 'Unbind GitHub' })).toBeVisible()
  const sessions = page.getByRole('region', { name: 'Where you are signed in' })
  await expect(sessions.getByRole('listitem').filter({ hasText: 'This session' })).toHaveCount(1)
  await expect(sessions).toContainText('Chrome (headless), Linux')
})

test('a session that expired while a form was open continues after an OAuth2 sign-in in another tab', async ({
  page,
  context,
  server,
}) => {
  await bind(context)
  await openWithStream(page, '/dashboard')
  await expect(servers(page)).toBeVisible()
  await page.getByRole('row').nth(1).getByRole('link', { name: /^Edit/ }).click()
  const form = page.getByRole('dialog', { name: /^Edit/ })
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('kept by another tab')
  endSessions(server.dataDir)
  await form.getByRole('button', { name: 'Save' }).click()

  const dialog = page.getByRole('dialog', { name: 'Your session has ended.' })
  const opened = context.waitForEvent('page')
  await dialog.getByRole('link', { name: 'Continue with GitHub' }).click()
  const tab = await opened
  await expect(servers(tab)).toBeVisible()

  await expect(dialog).toBeHidden()
  await expect(form).toBeHidden()
  await expect(page.getByRole('link', { name: /^kept by another tab/ })).toBeVisible()
})

test('an OAuth2 account that is not linked leads back to the login page with a message', async ({ page, provider }) => {
  if (provider) provider.account = '999'
  await page.goto('/dashboard/login')
  await page.getByRole('button', { name: 'Continue with GitHub' }).click()
  await expect(page.getByRole('alert')).toHaveText(/^This account is not bound to anybody here/)
  await expect(page).toHaveURL('/dashboard/login')
  await expect(page.getByLabel('Username')).toBeVisible()
})

test('refusing at the OAuth2 provider shows a message and does not block the address', async ({ page, provider }) => {
  if (provider) provider.consents = false
  await page.goto('/dashboard/login')
  await page.getByRole('button', { name: 'Continue with GitHub' }).click()
  await expect(page.getByRole('alert')).toHaveText(/^The provider was not allowed/)
  await page.reload()
  await expect(page.getByRole('alert')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Continue with GitHub' })).toBeVisible()
})
