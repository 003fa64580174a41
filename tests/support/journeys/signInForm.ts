import type { Page } from '@playwright/test'

/** Fills in the sign-in form that is on screen and sends it. */
export async function signInByForm(page: Page, username: string, password: string): Promise<void> {
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Login' }).click()
}
