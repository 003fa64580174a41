import { readFile } from 'node:fs/promises'
import type { BrowserContext } from '@playwright/test'
import { cookies, csrfHeader } from '../../../src/schemas/define/wireNames.ts'
import { openTerminal, terminalPane } from '../../support/console/terminalPage.ts'
import { expect, test } from '../../support/journeys/killableJourney.ts'

/** Lets owners of terminals record them. */
async function allowRecordings(context: BrowserContext, address: string): Promise<void> {
  const api = `${address}/api/v1/setting`
  const { data } = await (await context.request.get(api)).json()
  const csrf = (await context.cookies()).find(({ name }) => name === cookies.csrf)?.value ?? ''
  const reply = await context.request.patch(api, {
    data: { ...data.config, terminal_recording: 2 },
    headers: { [csrfHeader]: csrf },
  })
  expect(await reply.json()).toMatchObject({ success: true })
}

test('a recorded terminal has an address of its own, is played, searched, downloaded and deleted', async ({
  page,
  context,
  browser,
  killable,
}) => {
  await allowRecordings(context, killable.address)
  const shell = await openTerminal(page, killable.folder, killable.address)
  await page.getByRole('button', { name: 'Record this terminal' }).click()
  await expect(page.getByText('● Recorded')).toBeVisible()
  await shell.run('echo first $((1 + 1))')
  await shell.expectText(/^first 2$/m)
  await shell.run('stty -echo; echo hidden $((1 + 1)); read secret; stty echo; clear; echo second $((1 + 1))')
  // What is typed before is shown by the terminal.
  await shell.expectText(/^hidden 2$/m)
  await shell.run('not on screen')
  await shell.expectText(/^second 2$/m)
  await page.getByRole('button', { name: 'Record this terminal' }).click()
  await expect(page.getByText('● Recorded')).toBeHidden()

  await page.goto(`${killable.address}/dashboard/terminals`)
  const list = page.getByRole('list', { name: 'Recordings' })
  await expect(list.getByRole('listitem')).toHaveCount(1)
  await list.getByRole('link', { name: /^Play the recording of/ }).click()
  await expect(page).toHaveURL(/\/dashboard\/terminals\/recordings\/[\w-]+$/)
  const place = page.locator('section', { has: page.locator('.xterm') })
  const played = terminalPane(page, place)
  await played.expectText(/^second 2$/m)
  await expect(page.getByRole('button', { name: 'Play', exact: true }).first()).toBeVisible()

  // Nobody types there: Tab goes on to the buttons.
  await played.focus()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Play', exact: true }).first()).toBeFocused()

  // Back to what was on screen before.
  await page.getByRole('textbox', { name: 'Search in the output' }).fill('FIRST 2')
  await page.getByRole('button', { name: 'Newer match' }).click()
  await played.expectText(/^first 2$/m)
  await expect.poll(async () => (await played.lines()).join('\n')).not.toContain('second 2')

  // Its address can be opened anew, by who may see it.
  const address = page.url()
  await page.reload()
  await played.expectText(/^second 2$/m)
  const stranger = await browser.newPage()
  await stranger.goto(address)
  await expect(stranger.getByRole('button', { name: 'Login' })).toBeVisible()
  await stranger.close()
  await page.goto(address.replace(/[^/]+$/, 'none'))
  await expect(page.getByText('This recording does not exist any more')).toBeVisible()
  // What keeps somebody from the content is said; the file is not called damaged.
  const content = '**/recordings/*/play'
  await page.route(content, (route) => route.fulfill({ json: { error: 'permission denied' } }))
  await page.goBack()
  await expect(page.getByText(/permission denied|not permitted/i)).toBeVisible()
  await page.unroute(content)
  await page.getByRole('button', { name: 'Retry' }).click()
  await played.expectText(/^second 2$/m)
  await page.getByRole('link', { name: 'Open terminals' }).first().click()
  await expect(list.getByRole('listitem')).toHaveCount(1)

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    list.getByRole('link', { name: /^Download/ }).click(),
  ])
  const cast = await readFile(await download.path(), 'utf8')
  expect(JSON.parse(cast.split('\n')[0] ?? '')).toMatchObject({ version: 2, wheelhouse: { username: 'admin' } })
  expect(cast).not.toContain('not on screen')

  await list.getByRole('button', { name: /^Delete the recording of/ }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('No terminal was recorded.')).toBeVisible()
})
