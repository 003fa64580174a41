import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { type ServerProcess, spawnServer } from '../support/spawnServer.ts'
import { openTerminal, preparePane } from '../support/terminalPage.ts'

const password = 'correct horse battery'
let folder: string
let server: ServerProcess

const start = (settings: Record<string, string> = {}) =>
  spawnServer({ DATA_DIR: join(folder, 'data'), ADMIN_PASSWORD: password, ...settings })

test.beforeEach(async ({ context }) => {
  folder = mkdtempSync(join(tmpdir(), 'wheelhouse-e2e-'))
  server = await start()
  const reply = await context.request.post(`${server.address}/api/v1/login`, { data: { username: 'admin', password } })
  expect(await reply.json()).toMatchObject({ success: true })
})

test.afterEach(async () => {
  server.kill('SIGKILL')
  await server.ended
  rmSync(folder, { recursive: true, force: true })
})

test('a terminal goes on after its server was killed, below everything that was on screen', async ({ page }) => {
  const shell = await openTerminal(page, folder, server.address)
  await shell.run('i=0; while [ $i -lt 200 ]; do i=$((i+1)); echo "old row $i"; done; echo $((6 * 7)) before')
  await shell.expectText(/^42 before$/m)

  const { port } = new URL(server.address)
  server.kill('SIGKILL')
  await server.ended
  const card = page.getByRole('dialog')
  await expect(card).toContainText('Session completed')
  await expect(card).toContainText(/cannot be reached/)
  // As long as it is away, trying again says so and takes nothing from the screen.
  await card.getByRole('button', { name: 'Reconnect' }).click()
  await expect(card).toContainText('The terminal could not be opened')
  await expect(card).toContainText(/cannot be reached/)
  await shell.expectText(/^42 before$/m)

  server = await start({ PORT: port })
  // Where it is not known yet that the machine is back, the card says that.
  await expect(async () => {
    await card.getByRole('button', { name: 'Reconnect' }).click()
    await expect(card).toBeHidden({ timeout: 2000 })
  }).toPass({ timeout: 20_000 })
  await expect(async () => {
    // A machine that has just come back may be slow to greet; a shell answers an empty line with its prompt.
    await shell.run('')
    const screen = (await shell.lines()).join('\n')
    expect(screen).toMatch(/^42 before\n(.*\n)*Reconnected at .+\n(.*\n)*./m)
  }).toPass({ timeout: 30_000 })
  // What is above it all can still be found.
  await page.keyboard.press('Control+Shift+F')
  await page.getByRole('search').getByRole('textbox').fill('old row 7')
  await expect(page.getByRole('search').getByRole('status')).toHaveText('11 of 11')
  await page.keyboard.press('Escape')
  await preparePane(shell, folder)
  await shell.run('echo $((6 * 8)) after')
  await shell.expectText(/^48 after$/m)
})
