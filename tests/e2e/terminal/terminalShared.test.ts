import { openTerminal, terminalPane } from '../../support/console/terminalPage.ts'
import { expect, test } from '../../support/journeys/killableJourney.ts'

test('a second browser watches by the link, types when it may, and is out when the share ends', async ({
  page,
  context,
  browser,
  killable,
}) => {
  const shell = await openTerminal(page, killable.folder, killable.address)
  await shell.run('echo before $((1 + 1))')
  await shell.expectText(/^before 2$/m)

  await page.getByRole('button', { name: 'Share this terminal' }).click()
  const dialog = page.getByRole('dialog', { name: 'Share this terminal' })
  await dialog.getByRole('button', { name: 'Share', exact: true }).click()
  const link = await dialog.getByRole('textbox', { name: 'Link' }).inputValue()
  expect(link).toMatch(/\/dashboard\/terminal\/1\?share=[\w-]{22}$/)

  const elsewhere = await browser.newContext({
    storageState: await context.storageState(),
    viewport: { width: 700, height: 500 },
  })
  const guest = await elsewhere.newPage()
  await guest.goto(link)
  const seen = terminalPane(guest)
  await seen.expectText(/^before 2$/m)
  await expect(guest.getByText('You can watch.')).toBeVisible()
  await expect(dialog.getByText('In this terminal: admin (owner, typed last), admin')).toBeVisible()
  // The screen has the rows and columns of the owner.
  const [own, others] = [await shell.lines(), await seen.lines()]
  expect(others).toHaveLength(own.length)

  await dialog.getByRole('radio', { name: 'Others may watch and type' }).check()
  await expect(guest.getByText('You can type.')).toBeVisible()
  // Tab is the shell's: the way out is another one, and said where the focus is.
  const input = guest.getByRole('textbox', { name: 'Terminal input' })
  await expect(input).toHaveAttribute('aria-description', /^Ctrl-Shift-C copies, .* Ctrl-Shift-Arrow up .* buttons\.$/)
  await input.focus()
  await guest.keyboard.press('Tab')
  await expect(input).toBeFocused()
  await guest.keyboard.press('Control+Shift+ArrowUp')
  await expect(guest.getByRole('button', { name: 'Full screen' })).toBeFocused()
  await seen.focus()
  await guest.keyboard.press('Control+u')
  await seen.run('echo by the guest $((1 + 1))')
  await shell.expectText(/^by the guest 2$/m)
  await expect(guest.getByText('In this terminal: admin (owner), admin (typed last)')).toBeVisible()

  await dialog.getByRole('radio', { name: 'Others may watch', exact: true }).check()
  await expect(guest.getByText('You can watch.')).toBeVisible()
  await seen.run('echo not $((1 + 1)) any more')
  await dialog.getByRole('button', { name: 'Close' }).click()
  await shell.run('echo own $((1 + 1))')
  await seen.expectText(/^own 2$/m)
  expect((await shell.lines()).join('\n')).not.toContain('not 2 any more')

  await page.getByRole('button', { name: 'Share this terminal' }).click()
  await dialog.getByRole('button', { name: 'Stop sharing' }).click()
  await expect(guest.getByText('The terminal is not shared with you any more.')).toBeVisible()
  await guest.getByRole('button', { name: 'Reconnect' }).click()
  await expect(guest.getByText('This terminal is not shared with you, or not any more')).toBeVisible()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await shell.run('echo still $((1 + 1))')
  await shell.expectText(/^still 2$/m)
  await elsewhere.close()
})
