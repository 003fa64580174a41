import type { Page } from '@playwright/test'
import { addAuthenticatorDevice } from '../../support/journeys/authenticatorDevice.ts'
import { expect, password, signIn, test, username } from '../../support/journeys/journey.ts'
import { signInByForm } from '../../support/journeys/signInForm.ts'
import { expectToast } from '../../support/journeys/toasts.ts'
import { codeOf } from '../../support/server/auth/secondFactor.ts'
import { ageProofs } from '../../support/server/changeDatabase.ts'

/** Browsers offer passkeys at names only. */
test.use({ hostName: 'localhost', serverName: 'second-factor' })

/** The tests go on from one another, on one server. */
test.describe.configure({ mode: 'serial' })

const step = 30_000
let secret = ''
let recoveryCodes: string[] = []

const heading = (page: Page) => page.getByRole('table', { name: 'Servers' })
const panel = (page: Page) => page.getByRole('region', { name: 'Second factor' })

test('an authenticator app is set up by its secret, and ten recovery codes are shown once', async ({
  page,
  context,
}) => {
  await signIn(context)
  await page.goto('/dashboard/profile')
  await panel(page).getByRole('button', { name: 'Set up authenticator app' }).click()
  const dialog = page.getByRole('dialog', { name: 'Set up authenticator app' })
  await expect(dialog.getByRole('img', { name: /^QR code/ })).toBeVisible()
  secret = (await dialog.locator('code').textContent()) ?? ''
  const code = dialog.getByLabel('Code', { exact: true })
  await code.fill('000000')
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('That code is not right.')
  await code.fill(codeOf(secret, Date.now()))
  await code.press('Enter')
  const codes = page.getByRole('dialog', { name: 'Recovery codes' })
  const items = codes.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
  await expect(items).toHaveCount(10)
  recoveryCodes = await items.allTextContents()
  await expect(codes.getByRole('button', { name: 'Close' })).toBeDisabled()
  await codes.getByLabel('I have saved these codes').check()
  await codes.getByRole('button', { name: 'Close' }).click()
  await expect(panel(page)).toContainText('10 codes left')
})

test('signing in asks for the code of the app after the password', async ({ page }) => {
  await page.goto('/dashboard')
  await signInByForm(page, username, password)
  const code = page.getByLabel('Code', { exact: true })
  await expect(code).toBeFocused()
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByText('This is needed.')).toBeVisible()
  // The one after the code that the set-up has used: phones may be half a minute ahead.
  await code.fill(codeOf(secret, Date.now() + step))
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(heading(page)).toBeVisible()
})

test('signing in with a recovery code works once', async ({ page, openBrowser }) => {
  const enter = async (at: Page) => {
    await at.goto('/dashboard')
    await signInByForm(at, username, password)
    await at.getByRole('button', { name: 'Use a recovery code' }).click()
    await at.getByLabel('Recovery code', { exact: true }).fill(recoveryCodes[0] ?? '')
    await at.getByRole('button', { name: 'Confirm' }).click()
  }
  await enter(page)
  await expect(heading(page)).toBeVisible()
  // The calls of this page would be refused with those of the other one.
  await page.close()
  const other = await (await openBrowser({ signedIn: false })).newPage()
  await enter(other)
  await expect(other.getByRole('alert')).toHaveText('That code is not right.')
  await other.getByRole('button', { name: 'Back' }).click()
  await expect(other.getByLabel('Username')).toBeVisible()
  // The address may not sign in to this account for a moment, as after a wrong password.
  const attempt = () => other.request.post('/api/v1/login', { data: { username, password } })
  await expect.poll(async () => (await attempt()).status()).toBe(200)
})

test('a passkey is added after the person was asked for the password again, and signs in with and without it', async ({
  page,
  server,
}) => {
  await addAuthenticatorDevice(page)
  await enterWithRecoveryCode(page, 1)
  await page.goto('/dashboard/profile')
  ageProofs(server.dataDir)
  await panel(page).getByRole('button', { name: 'Add passkey' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add passkey' })
  await dialog.getByLabel('Name').fill('Blue key')
  await dialog.getByRole('button', { name: 'Create passkey' }).click()
  await confirmWithRecoveryCode(page, 2)
  await expect(panel(page)).toContainText('Blue key')

  await panel(page).getByRole('button', { name: 'Add passkey' }).click()
  await dialog.getByLabel('Name').fill('Second one')
  await dialog.getByRole('button', { name: 'Create passkey' }).click()
  await expect(dialog.getByRole('alert')).toContainText('This device already has a passkey of this account')
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  await signOut(page)
  await signInByForm(page, username, password)
  await expect(page.getByRole('button', { name: 'Use passkey' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(heading(page)).toBeVisible()

  await signOut(page)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(heading(page)).toBeVisible()
  await page.goto('/dashboard/profile')
  await expect(panel(page)).toContainText('last used')
})

test('a terminal asks again who is there a quarter of an hour later, and opens after the answer', async ({
  page,
  server,
}) => {
  await enterWithRecoveryCode(page, 3)
  ageProofs(server.dataDir)
  await page.goto('/dashboard/terminal/1')
  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await dialog.getByRole('button', { name: 'Use a recovery code' }).click()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByText('Cancelled: your identity was not confirmed.')).toBeVisible()
  await page.getByRole('button', { name: 'Reconnect' }).click()
  await confirmWithRecoveryCode(page, 4)
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page.locator('.xterm-rows')).toContainText(/[$#%>]/)
})

test('who has no second factor where one is required sets it up before anything else', async ({
  page,
  openBrowser,
}) => {
  await enterWithRecoveryCode(page, 5)
  await page.goto('/dashboard/settings?section=all')
  await page.getByLabel('Require a second factor of everybody').check()
  await page.getByRole('button', { name: 'Review changes' }).click()
  await page.getByRole('dialog').getByRole('button', { name: /^Save/ }).click()
  await expectToast(page, /^Success$/)
  await createMember(page, 'milly')

  const member = await (await openBrowser({ signedIn: false })).newPage()
  await addAuthenticatorDevice(member)
  await member.goto('/dashboard')
  await signInByForm(member, 'milly', password)
  const setUp = member.getByRole('dialog', { name: 'Set up a second factor' })
  await setUp.getByRole('button', { name: 'Add passkey' }).click()
  const dialog = member.getByRole('dialog', { name: 'Add passkey' })
  await dialog.getByLabel('Name').fill('Phone')
  await dialog.getByRole('button', { name: 'Create passkey' }).click()
  await member.getByLabel('I have saved these codes').check()
  await member.getByRole('button', { name: 'Close' }).click()
  await expect(setUp).toBeHidden()
  await expect(heading(member)).toBeVisible()
})

async function enterWithRecoveryCode(page: Page, index: number) {
  await page.goto('/dashboard')
  await signInByForm(page, username, password)
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await page.getByLabel('Recovery code', { exact: true }).fill(recoveryCodes[index] ?? '')
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(heading(page)).toBeVisible()
}

async function confirmWithRecoveryCode(page: Page, index: number) {
  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await dialog.getByRole('button', { name: 'Use a recovery code' }).click()
  await dialog.getByLabel('Recovery code', { exact: true }).fill(recoveryCodes[index] ?? '')
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await expect(dialog).toBeHidden()
}

async function signOut(page: Page) {
  await page.getByRole('button', { name: 'User menu' }).click()
  await page.getByRole('menuitem', { name: /^(Logout|Log out|Sign out)/ }).click()
  await expect(page.getByLabel('Username')).toBeVisible()
}

/** Makes a user by a call of the page, as the form does. */
async function createMember(page: Page, name: string) {
  const reply = await page.evaluate(
    async (body) => {
      const [, csrf = ''] = /nz-csrf=([^;]+)/.exec(document.cookie) ?? []
      const headers = { 'Content-Type': 'application/json', 'X-CSRF-Token': csrf }
      return (await fetch('/api/v1/user', { method: 'POST', headers, body: JSON.stringify(body) })).json()
    },
    { username: name, password, role: 1 },
  )
  expect(reply).toMatchObject({ success: true })
}
