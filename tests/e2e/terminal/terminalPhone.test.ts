import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { openTerminal, prompt } from '../../support/console/terminalPage.ts'
import { accessibilityFindings } from '../../support/journeys/accessibility.ts'
import { send } from '../../support/journeys/apiCalls.ts'
import { expect, signIn, test } from '../../support/journeys/journey.ts'
import { read } from '../../support/journeys/serverList.ts'
import { expectToast } from '../../support/journeys/toasts.ts'

// It changes the settings of its server.
test.use({
  serverName: 'terminals on phones',
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
})

let folder: string

test.beforeEach(async ({ page, context }) => {
  folder = mkdtempSync(join(tmpdir(), 'wheelhouse-e2e-shell-'))
  await signIn(context)
  const { config } = await read<{ config: object }>(page, 'setting')
  await send(context, 'PATCH', 'setting', { ...config, terminal_recording: 2 })
})

test.afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** What a finger would miss: names and sizes of the targets on screen that are smaller than 44 pixels. */
const smallTargets = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('button, [role=button], [role^=menuitem], a[href], input:not([type=file])')]
      // The label around a box, and the frame around an input, are the target of what is in them.
      .map((element) => element.closest('label, .MuiInputBase-root') ?? element)
      .flatMap((element) => {
        const { width, height } = element.getBoundingClientRect()
        const isShown = element.checkVisibility({ visibilityProperty: true }) && width > 1
        const name = element.getAttribute('aria-label') ?? element.textContent ?? ''
        return isShown && Math.min(width, height) < 43.5 ? [`${name}: ${width} x ${height}`] : []
      }),
  )

const sideways = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)

test('on a phone a menu has what the bar has no room for: share, record, the end of a command, snippets', async ({
  page,
}) => {
  const shell = await openTerminal(page, folder)
  const more = page.getByRole('button', { name: 'More', exact: true })
  const choose = async (role: 'menuitem' | 'menuitemcheckbox', name: string) => {
    await more.tap()
    await page.getByRole(role, { name, exact: true }).tap()
  }
  await expect.poll(() => smallTargets(page)).toEqual([])
  await expect.poll(() => sideways(page)).toBe(0)
  await more.tap()
  await expect.poll(() => smallTargets(page)).toEqual([])
  expect(await accessibilityFindings(page, 'the menu of a terminal on a phone')).toEqual([])
  await page.setViewportSize({ width: 390, height: 844 })
  await page.keyboard.press('Escape')

  await choose('menuitemcheckbox', 'Record this terminal')
  await expect(page.getByText('● Recorded')).toBeVisible()
  await choose('menuitemcheckbox', 'Share this terminal')
  const dialog = page.getByRole('dialog', { name: 'Share this terminal' })
  await dialog.getByRole('button', { name: 'Share', exact: true }).tap()
  await expect(dialog.getByRole('textbox', { name: 'Link' })).toHaveValue(/\?share=/)
  await expect.poll(() => smallTargets(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Close' }).tap()
  await expect(page.getByText('In this terminal: admin (owner)')).toBeVisible()
  await more.tap()
  await expect(page.getByRole('menuitemcheckbox', { name: 'Share this terminal' })).toBeChecked()
  await page.keyboard.press('Escape')

  // Keys go to the shell after what a person chose.
  await shell.run(`printf '\\033]133;C\\033\\\\'; read wait; printf '\\033]133;D\\033\\\\'`)
  await choose('menuitemcheckbox', 'Tell me when this command ends')
  await expectToast(page, 'You are told when the shell says that the command has ended.')
  await page.keyboard.press('Enter')
  await expectToast(page, /: the command has ended/)

  await choose('menuitem', 'Snippets')
  await page.getByRole('button', { name: 'New snippet' }).tap()
  await page.getByRole('textbox', { name: 'Name' }).fill('Greet')
  await page.getByRole('textbox', { name: 'Text' }).fill('echo hello $((1 + 1))')
  await expect.poll(() => smallTargets(page)).toEqual([])
  await page.getByRole('button', { name: 'Save' }).tap()
  await page.getByRole('dialog', { name: 'Snippets' }).getByRole('button', { name: 'Run' }).tap()
  await shell.expectText(/^hello 2$/m)

  await choose('menuitemcheckbox', 'Search (Ctrl-Shift-F)')
  const search = page.getByRole('search').getByRole('textbox')
  await expect(search).toBeFocused()
  await page.keyboard.type('hello 2')
  await expect(search).toHaveValue('hello 2')
  await expect.poll(() => smallTargets(page)).toEqual([])
  await expect.poll(() => sideways(page)).toBe(0)
  expect((await shell.lines()).at(-1)).not.toBe(`${prompt} hello 2`)
})
