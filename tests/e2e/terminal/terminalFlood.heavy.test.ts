import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openTerminal } from '../../support/console/terminalPage.ts'
import { expect, signIn, test } from '../../support/journeys/journey.ts'
import { expectToast } from '../../support/journeys/toasts.ts'

let folder: string

test.beforeEach(async ({ context }) => {
  folder = mkdtempSync(join(tmpdir(), 'wheelhouse-e2e-shell-'))
  await signIn(context)
})

test.afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('endless output leaves the page responsive, and Ctrl-C ends it', async ({ page }) => {
  const shell = await openTerminal(page, folder)
  const session = await page.context().newCDPSession(page)
  const heap = async () => {
    await session.send('HeapProfiler.collectGarbage')
    return (await session.send('Runtime.getHeapUsage')).usedSize / 2 ** 20
  }
  await shell.run('yes "no end of it"')
  await shell.expectText(/(no end of it\n){10}/)
  const before = await heap()
  for (let round = 0; round < 3; round += 1) {
    // The page takes clicks and draws what they lead to while lines fly by.
    await page.getByRole('button', { name: 'Terminal settings' }).click()
    await expect(page.getByRole('switch', { name: 'Copy what is selected' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('switch', { name: 'Copy what is selected' })).toBeHidden()
    await page.waitForTimeout(1000)
  }
  // Ten thousand lines of scrollback take their place once; what has gone by takes none.
  expect((await heap()) - before).toBeLessThan(40)

  await shell.focus()
  await page.keyboard.press('Control+c')
  await shell.expectPrompt()
  await expectToast(page, /output came faster than it can be shown\. [\d.,]+ [KMG]iB were skipped\./)
  await shell.run('echo "$?" and on')
  await shell.expectText(/^130 and on$/m)
})
