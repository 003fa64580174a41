import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openTerminal, pasteByKeys, preparePane, terminalPane } from '../../support/console/terminalPage.ts'
import { expect, signIn, test } from '../../support/journeys/journey.ts'

let folder: string

test.beforeEach(async ({ context }) => {
  folder = mkdtempSync(join(tmpdir(), 'wheelhouse-e2e-shell-'))
  await signIn(context)
})

test.afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** A program that fills the screen with a file, and how it is left. `less` and `more` are on systems without `vi`. */
const fullScreen = [
  { name: 'vi', path: '/usr/bin/vi', leave: ':q!' },
  { name: 'vi', path: '/bin/vi', leave: ':q!' },
  { name: 'less', path: '/usr/bin/less', leave: 'q' },
  { name: 'less', path: '/bin/less', leave: 'q' },
].find(({ path }) => existsSync(path)) ?? { name: 'more', leave: 'q' }

test('vi opens, follows the window size, and restores the screen when it quits', async ({ page }) => {
  await page.setViewportSize({ width: 1000, height: 500 })
  writeFileSync(join(folder, 'numbers'), Array.from({ length: 500 }, (_, index) => `line ${index + 1}\n`).join(''))
  const shell = await openTerminal(page, folder)
  await shell.run('echo before the editor')
  await shell.expectText('\nbefore the editor')

  await shell.run(`${fullScreen.name} numbers`)
  /** All lines but the one where it says what it is doing. */
  const expectFull = () =>
    expect
      .poll(async () => {
        const lines = await shell.lines()
        return lines.slice(0, -1).every((line, index) => line === `line ${index + 1}`) && lines.length
      })
      .toBeGreaterThan(10)
  await expectFull()
  const { length: before } = await shell.lines()
  // The shell gets its first size after a second and a half; a larger one shows more of the file.
  await page.setViewportSize({ width: 1000, height: 800 })
  await expect.poll(async () => (await shell.lines()).length).toBeGreaterThan(before)
  await expectFull()

  await page.keyboard.type(fullScreen.leave)
  if (fullScreen.name === 'vi') await page.keyboard.press('Enter')
  await shell.expectPrompt()
  await shell.run('stty size')
  const { length: rows } = await shell.lines()
  await shell.expectText(new RegExp(`\n${rows} \\d+\n`))
  const lines = await shell.lines()
  expect(lines).toContain('before the editor')
  if (fullScreen.name !== 'more') expect(lines).not.toContain('line 2')
})

test('pasting 1 MiB asks for confirmation once and arrives complete', async ({ page }) => {
  const line = `${'0123456789 äöü 漢字 '.repeat(3)}\n`
  const text = line.repeat(Math.ceil(2 ** 20 / Buffer.byteLength(line)))
  const shell = await openTerminal(page, folder)
  await shell.run('cat > pasted && echo all of it')
  await expect.poll(() => existsSync(join(folder, 'pasted'))).toBe(true)

  await pasteByKeys(page, text)
  const question = page.getByRole('alertdialog')
  await expect(question).toContainText(/^Paste [\d,.]+ lines into /)
  expect(statSync(join(folder, 'pasted')).size).toBe(0)
  await question.getByRole('button', { name: 'Paste' }).click()
  await expect.poll(() => statSync(join(folder, 'pasted')).size).toBe(Buffer.byteLength(text))

  await page.keyboard.press('Control+d')
  await shell.expectText(/^all of it$/m)
  expect(readFileSync(join(folder, 'pasted'), 'utf8') === text).toBe(true)
})

test('the search finds lines in the scrollback', async ({ page }) => {
  const shell = await openTerminal(page, folder)
  await shell.run('i=0; while [ $i -lt 400 ]; do i=$((i+1)); echo "row $i"; done')
  await shell.expectText(/^row 400$/m)
  await page.keyboard.press('Control+Shift+F')
  const search = page.getByRole('search')
  await search.getByRole('textbox').fill('row 17')
  await expect(search.getByRole('status')).toHaveText('11 of 11')
  await shell.expectText(/^row 179$/m)
  await page.keyboard.press('Enter')
  await expect(search.getByRole('status')).toHaveText('10 of 11')
  for (let step = 0; step < 9; step += 1) await page.keyboard.press('Enter')
  await expect(search.getByRole('status')).toHaveText('1 of 11')
  await shell.expectText(/^row 17$/m)

  // A window of another size, or the keyboard of a phone, must not send the search back to the newest match.
  await page.keyboard.press('Shift+Enter')
  await expect(search.getByRole('status')).toHaveText('2 of 11')
  const { length: rows } = await shell.lines()
  await page.setViewportSize({ width: 900, height: 500 })
  await expect.poll(async () => (await shell.lines()).length).toBeLessThan(rows)
  await page.keyboard.press('Shift+Enter')
  await expect(search.getByRole('status')).toHaveText('3 of 11')
  await page.keyboard.press('Escape')
  await expect(search).toBeHidden()
  await page.keyboard.insertText('echo typed again')
  await page.keyboard.press('Enter')
  await shell.expectText(/^typed again$/m)
})

test('a command is sent to all selected terminals, several lines only after a confirmation', async ({ page }) => {
  await openTerminal(page, folder)
  await page.getByRole('button', { name: 'Open a terminal on another server' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '#1 · Online' }).click()
  const sections = page.locator('section', { has: page.locator('.xterm') })
  await expect(sections).toHaveCount(2)
  const panes = [0, 1].map((index) => terminalPane(page, sections.nth(index)))
  const [first, second] = panes
  if (!first || !second) throw new Error('There are two.')
  await preparePane(second, folder)
  await page.getByRole('button', { name: 'Side by side' }).click()

  await page.getByRole('button', { name: 'Send to all' }).click()
  const command = page.getByRole('textbox', { name: /^Command/ })
  await expect(page.getByRole('group', { name: 'Send to' }).getByRole('checkbox')).toHaveCount(2)
  await command.fill('echo "to both" | tr a-z A-Z')
  await page.getByRole('button', { name: 'Send to 2 terminals' }).click()
  for (const pane of panes) await pane.expectText(/^TO BOTH$/m)

  await command.fill('echo one >> lines\necho two >> lines')
  await command.press('Enter')
  const question = page.getByRole('alertdialog')
  await expect(question).toContainText('Send 2 lines to these servers?')
  expect(existsSync(join(folder, 'lines'))).toBe(false)
  await question.getByRole('button', { name: 'Send to 2 terminals' }).click()
  await expect(() => {
    const written = readFileSync(join(folder, 'lines'), 'utf8').split('\n').sort().join(' ').trim()
    expect(written).toBe('one one two two')
  }).toPass()

  // One that is left out gets nothing.
  await page.getByRole('group', { name: 'Send to' }).getByRole('checkbox').nth(1).uncheck()
  await command.fill('echo "to one" | tr a-z A-Z')
  await page.getByRole('button', { name: 'Send to 1 terminal', exact: true }).click()
  await first.expectText(/^TO ONE$/m)
  expect((await second.lines()).join('\n')).not.toContain('TO ONE')
})
