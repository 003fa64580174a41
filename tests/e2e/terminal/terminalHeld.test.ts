import type { Page } from '@playwright/test'
import { cookies, csrfHeader } from '../../../src/schemas/define/wireNames.ts'
import { openTerminal, prompt, terminalPane } from '../../support/console/terminalPage.ts'
import { startCuttableProxy } from '../../support/journeys/cuttableProxy.ts'
import { expect, test } from '../../support/journeys/killableJourney.ts'
import { expectToast } from '../../support/journeys/toasts.ts'

const expectSame = (page: Page) => expectToast(page, /the same shell as before/)

test('a reload finds the same shell, with its screen and what came meanwhile', async ({ page, killable }) => {
  const shell = await openTerminal(page, killable.folder, killable.address)
  await shell.run('here=same; i=0; while [ $i -lt 100 ]; do i=$((i+1)); echo "old row $i"; done')
  await shell.expectText(/^old row 100$/m)
  // A program asks where the cursor is and reads the answer; drawn again, nobody reads another one.
  await shell.run('stty raw -echo; printf "\\033[6n"; dd bs=32 count=1 2>&1 | wc -c; stty sane; echo as"ked"')
  await shell.expectText(/asked$/m)
  await shell.run('sleep 1; echo mean"while"')
  await page.reload()
  await expectSame(page)
  const again = terminalPane(page)
  await again.expectText(/^old row 100$/m)
  await again.expectText(/^meanwhile$/m)
  await again.expectPrompt()
  await again.run('echo "$here shell"')
  await again.expectText(/^same shell$/m)
  expect((await again.lines()).join('\n')).not.toMatch(/;\d+R/)
  // What is above it all can still be found.
  await page.keyboard.press('Control+Shift+F')
  await page.getByRole('search').getByRole('textbox').fill('old row 7')
  await expect(page.getByRole('search').getByRole('status')).toHaveText('11 of 11')
})

test('a cut line comes back by itself to the same shell, and nothing is shown twice', async ({ page, killable }) => {
  const proxy = await startCuttableProxy(killable.address)
  try {
    const shell = await openTerminal(page, killable.folder, proxy.address)
    await shell.run('here=same; echo "before the cut"; sleep 2; echo mean"while"')
    await shell.expectText(/^before the cut$/m)
    proxy.cut()
    await expect(page.getByText('The connection is lost. Trying again…')).toBeVisible()
    proxy.mend()
    await expectSame(page)
    await shell.expectText(/^meanwhile$/m)
    await shell.expectPrompt()
    await shell.run('echo "$here shell"')
    await shell.expectText(/^same shell$/m)
    expect((await shell.lines()).filter((line) => line === 'before the cut')).toHaveLength(1)
  } finally {
    await proxy.close()
  }
})

test('a tab that stood still for minutes on a line that is still there comes back to the same shell', async ({
  page,
  killable,
}) => {
  const shell = await openTerminal(page, killable.folder, killable.address)
  await shell.run('here=same')
  await shell.expectPrompt()
  await page.evaluate(() => {
    const now = Date.now
    Date.now = () => now() + 10 * 60_000
  })
  await expectSame(page)
  await shell.run('echo "$here shell"')
  await shell.expectText(/^same shell$/m)
})

test('another browser finds it in the list, takes it over, and ends it', async ({
  page,
  context,
  browser,
  killable,
}) => {
  const shell = await openTerminal(page, killable.folder, killable.address)
  await shell.run('here=same')
  await shell.expectPrompt()

  const elsewhere = await browser.newContext({ storageState: await context.storageState() })
  const other = await elsewhere.newPage()
  await other.goto(`${killable.address}/dashboard/terminals`)
  await other.getByRole('button', { name: /^Show the terminal on/ }).click()
  const second = terminalPane(other)
  await second.expectPrompt()
  await expect(page.getByRole('dialog', { name: 'Shown in another window' })).toBeVisible()
  await second.run('echo "$here shell"')
  await second.expectText(/^same shell$/m)

  // And back again.
  await page.getByRole('button', { name: 'Reconnect' }).click()
  await shell.expectText(/^same shell$/m)
  await expect(other.getByRole('dialog', { name: 'Shown in another window' })).toBeVisible()

  await other.goto(`${killable.address}/dashboard/terminals`)
  await expect(other.getByText(/shown in a window/)).toBeVisible()
  await other.getByRole('button', { name: /^End the terminal on/ }).click()
  await expect(other.getByText('No terminal is open.')).toBeVisible()
  await expect(page.getByRole('dialog', { name: 'Session completed' })).toBeVisible()
  await elsewhere.close()
})

test('a terminal that is closed in its window has ended, one whose window is closed goes on', async ({
  page,
  context,
  killable,
}) => {
  const list = await context.newPage()
  await openTerminal(page, killable.folder, killable.address)
  await page.close({ runBeforeUnload: true })
  await expect.poll(() => page.isClosed()).toBe(true)
  await list.goto(`${killable.address}/dashboard/terminals`)
  await expect(list.getByText(/without a window, ends at/)).toBeVisible()
  await list.getByRole('button', { name: /^Show the terminal on/ }).click()
  const again = terminalPane(list)
  await again.expectPrompt()

  await list.getByRole('button', { name: 'Open a terminal on another server' }).click()
  await list.getByRole('dialog').getByRole('button', { name: '#1 · Online' }).click()
  await expect(list.locator('section', { has: list.locator('.xterm') })).toHaveCount(2)
  await list
    .getByRole('button', { name: /^Close the terminal on/ })
    .first()
    .click()
  await list.getByRole('button', { name: 'Open terminals' }).click()
  await expect(list.getByRole('dialog').getByRole('button', { name: /^End the terminal on/ })).toHaveCount(1)
})

test('closing the page asks for confirmation only where shells are not held, and while one runs', async ({
  page,
  context,
  killable,
}) => {
  const api = `${killable.address}/api/v1/setting`
  const { data } = await (await context.request.get(api)).json()
  const csrf = (await context.cookies()).find(({ name }) => name === cookies.csrf)?.value ?? ''
  const reply = await context.request.patch(api, {
    data: { ...data.config, terminal_hold_minutes: 0 },
    headers: { [csrfHeader]: csrf },
  })
  expect(await reply.json()).toMatchObject({ success: true })

  const shell = await openTerminal(page, killable.folder, killable.address)
  const asked: string[] = []
  page.on('dialog', async (dialog) => {
    asked.push(dialog.type())
    await dialog.dismiss()
  })
  await page.close({ runBeforeUnload: true })
  await expect.poll(() => asked).toEqual(['beforeunload'])
  await shell.run('echo still here')
  await shell.expectText(/^still here$/m)

  await shell.run('exit')
  const card = page.getByRole('dialog', { name: 'Session completed' })
  await expect(card).toContainText('You may close this window now.')
  expect(await shell.lines()).toContain(`${prompt} exit`)
  await page.close({ runBeforeUnload: true })
  await expect.poll(() => page.isClosed()).toBe(true)
  expect(asked).toHaveLength(1)
})
