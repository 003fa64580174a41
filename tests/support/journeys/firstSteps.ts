import { expect, type Locator, type Page } from '@playwright/test'

/** Fills in the sign-in form that is on screen and sends it. */
export async function signInByForm(page: Page, username: string, password: string): Promise<void> {
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Login' }).click()
}

/** The row of the one machine in the list of servers. */
export async function onlyMachine(page: Page): Promise<Locator> {
  const machine = page.getByRole('table', { name: 'Servers' }).locator('tbody').getByRole('row')
  await expect(machine).toHaveCount(1)
  return machine
}

/** The machine reports, and goes on doing so. */
export async function expectLiveFigures(machine: Locator): Promise<void> {
  await expect(machine.getByText('Online', { exact: true })).toBeVisible()
  const figures = () => machine.innerText()
  await expect.poll(figures).toMatch(/\d+\s?%/)
  const first = await figures()
  await expect.poll(figures, { message: 'the figures never changed' }).not.toBe(first)
}

/** Renames a machine by its form. */
export async function rename(page: Page, machine: Locator, name: string): Promise<void> {
  await machine.getByRole('link', { name: /^Edit/ }).click()
  const form = page.getByRole('dialog', { name: /^Edit/ })
  await form.getByRole('textbox', { name: 'Name' }).fill(name)
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form).toBeHidden()
}
