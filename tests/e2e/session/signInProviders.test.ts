import type { BrowserContext, Page } from '@playwright/test'
import type { OidcProvider } from '../../support/fakes/oidcProvider.ts'
import { expect, signIn, test } from '../../support/journeys/journey.ts'

test.use({ hasProvider: true, serverName: 'sign-in providers', seeded: 2 })

// The provider is another host, which no other journey may turn to.
test.afterEach(({ provider, faults }) => {
  faults.splice(0, faults.length, ...faults.filter((fault) => !fault.includes(`request to ${provider?.issuer}`)))
})

/** Adds a provider, and gives the role viewer of everything to its group `ops`. */
async function addProvider(page: Page, { issuer, entry }: OidcProvider): Promise<void> {
  await page.goto('/dashboard/settings?section=sign_in')
  await page.getByRole('button', { name: 'Add OpenID Connect' }).click()
  const form = page.getByRole('dialog', { name: 'Add OpenID Connect' })
  await form.getByLabel('Name', { exact: true }).fill('Company')
  await form.getByLabel('Issuer').fill(issuer)
  await form.getByLabel('Client ID').fill(entry.client_id)
  await form.getByLabel('Client secret').fill(entry.client_secret)
  await form.getByLabel('Scopes').fill('groups')
  await form.getByLabel('Make accounts at the first sign-in').check()
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form).toBeHidden()

  await page.getByRole('button', { name: 'Group rules: Company' }).click()
  const rules = page.getByRole('dialog', { name: 'Group rules: Company' })
  await rules.getByLabel('Group', { exact: true }).fill('ops')
  await rules.getByRole('radio', { name: /^Viewer/ }).check()
  await rules.getByRole('radio', { name: 'All servers', exact: true }).check()
  await rules.getByRole('button', { name: 'Give' }).click()
  await expect(rules.getByRole('row', { name: /^ops Viewer/ })).toBeVisible()
  await rules.getByRole('button', { name: 'Close' }).click()
}

/** Signs in at the provider in a browser with nothing in it. @returns the roles that the person has then */
async function rolesAfterSignIn(openBrowser: (options: { signedIn: boolean }) => Promise<BrowserContext>) {
  const context = await openBrowser({ signedIn: false })
  const page = await context.newPage()
  await page.goto('/dashboard/login')
  await page.getByRole('button', { name: 'Continue with Company' }).click()
  await expect(page.getByRole('button', { name: /^User menu/ })).toBeVisible()
  const reply = await context.request.get('/api/v1/wheelhouse/roles')
  const { data } = (await reply.json()) as { data: { people: { username: string; roles: object[] }[] } }
  return data.people
}

test('a provider that is added in the console gives roles by its groups, and takes them at the next sign-in', async ({
  page,
  context,
  provider,
  openBrowser,
}) => {
  if (!provider) throw new Error('There is no provider.')
  await signIn(context)
  await addProvider(page, provider)

  await page.getByRole('button', { name: 'Test: Company' }).click()
  const tested = page.getByRole('dialog', { name: 'Test: Company' })
  await expect(tested.getByText('The provider answered.')).toBeVisible()
  await expect(tested.getByRole('row', { name: /^scopes_supported/ })).toContainText('openid')
  await tested.getByRole('button', { name: 'Close' }).click()

  provider.account = '4712'
  provider.groups = ['all', 'ops']
  expect(await rolesAfterSignIn(openBrowser)).toMatchObject([
    { username: 'person 4712', roles: [{ role: 'viewer', scope: 'all' }] },
  ])
  provider.groups = ['all']
  expect(await rolesAfterSignIn(openBrowser)).toMatchObject([{ username: 'person 4712', roles: [] }])

  await page.reload()
  const row = page.getByRole('row', { name: /^Company/ })
  await expect(row).toContainText('OpenID Connect')
  await expect(row.getByRole('cell').nth(2)).toHaveText('1')
})
