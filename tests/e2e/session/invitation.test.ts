import { send } from '../../support/journeys/apiCalls.ts'
import { expect, signIn, test } from '../../support/journeys/journey.ts'

test.use({ serverName: 'invitation' })

test('somebody who was invited makes an account and is signed in; the link works once', async ({
  context,
  openBrowser,
}) => {
  await signIn(context)
  const { url } = (await send(context, 'POST', 'wheelhouse/invitations', { role: 1 })) as { url: string }
  const guest = await openBrowser({ signedIn: false })
  const page = await guest.newPage()
  await page.goto(url)
  await expect(page.getByText('admin invites you to')).toBeVisible()
  await page.getByLabel('Username').fill('grace')
  await page.getByLabel('Password').fill('short')
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page.getByText('The password needs at least 8 characters.')).toBeVisible()
  await page.getByLabel('Password').fill('long enough for this')
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page.getByRole('button', { name: /^User menu/ })).toBeVisible()
  // Nothing of the token stays in the address.
  expect(new URL(page.url()).hash).toBe('')
  const other = await (await openBrowser({ signedIn: false })).newPage()
  await other.goto(url)
  await expect(other.getByRole('alert')).toHaveText(/^This invitation was used/)
})
