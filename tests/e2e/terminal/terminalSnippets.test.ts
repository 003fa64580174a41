import { openTerminal, preparePane, terminalPane } from '../../support/console/terminalPage.ts'
import { expect, test } from '../../support/journeys/killableJourney.ts'
import { expectToast } from '../../support/journeys/toasts.ts'

test('a snippet for everybody asks for its values and for the terminals that it runs in', async ({
  page,
  context,
  killable,
}) => {
  await openTerminal(page, killable.folder, killable.address)
  await page.getByRole('button', { name: 'Open a terminal on another server' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '#1 · Online' }).click()
  const places = page.locator('section', { has: page.locator('.xterm') })
  await expect(places).toHaveCount(2)
  await page.getByRole('button', { name: 'Side by side' }).click()
  const second = terminalPane(page, places.nth(1))
  await preparePane(second, killable.folder)

  await page.getByRole('button', { name: 'Snippets' }).click()
  await page.getByRole('button', { name: 'New snippet' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Greet')
  await page.getByRole('textbox', { name: 'Text' }).fill('echo "hello, {{whom}}" $(({{number}} + 1))')
  await page.getByRole('radio', { name: 'For everybody' }).check()
  await page.getByRole('button', { name: 'Save' }).click()

  await page.getByRole('dialog', { name: 'Snippets' }).getByRole('button', { name: 'Run' }).click()
  const dialog = page.getByRole('dialog', { name: 'Greet' })
  await expect(dialog.getByRole('button', { name: 'Run' })).toBeDisabled()
  await dialog.getByRole('textbox', { name: 'whom' }).fill('you two')
  await dialog.getByRole('textbox', { name: 'number' }).fill('41')
  await expect(dialog.getByText('echo "hello, you two" $((41 + 1))')).toBeVisible()
  const boxes = dialog.getByRole('group', { name: 'Send to' }).getByRole('checkbox')
  await expect(boxes).toHaveCount(2)
  await boxes.nth(0).check()
  await boxes.nth(1).check()
  await dialog.getByRole('button', { name: 'Run' }).click()
  await page
    .getByRole('alertdialog', { name: 'Type into these terminals?' })
    .getByRole('button', { name: 'Run' })
    .click()
  for (const pane of [terminalPane(page, places.nth(0)), second]) await pane.expectText(/^hello, you two 42$/m)

  // Another browser of somebody who is signed in has it as well.
  const other = await context.newPage()
  const reply = await other.request.get(`${killable.address}/api/v1/wheelhouse/snippets`)
  expect(await reply.json()).toMatchObject({ data: [{ name: 'Greet' }] })
})

test('a snippet and a line reach the terminals of other windows, and say which', async ({
  page,
  context,
  killable,
}) => {
  const other = await context.newPage()
  const elsewhere = await openTerminal(other, killable.folder, killable.address)
  const here = await openTerminal(page, killable.folder, killable.address)
  await page.getByRole('button', { name: 'Snippets' }).click()
  await page.getByRole('button', { name: 'New snippet' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Greet')
  await page.getByRole('textbox', { name: 'Text' }).fill('echo "hello $((1 + 1))"')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('dialog', { name: 'Snippets' }).getByRole('button', { name: 'Run' }).click()
  const dialog = page.getByRole('dialog', { name: 'Greet' })
  await dialog.getByRole('group', { name: 'In other windows' }).getByRole('checkbox').check()
  await dialog.getByRole('button', { name: 'Run' }).click()
  const question = page.getByRole('alertdialog', { name: 'Type into these terminals?' })
  await expect(question.getByText(/, .+ · Since /)).toBeVisible()
  await question.getByRole('button', { name: 'Run' }).click()
  for (const pane of [here, elsewhere]) await pane.expectText(/^hello 2$/m)

  // A line as well, also into one that no window shows any more.
  await other.close({ runBeforeUnload: true })
  await expect.poll(() => other.isClosed()).toBe(true)
  await page.getByRole('button', { name: 'Send to all' }).click()
  await page.getByRole('group', { name: 'Send to' }).getByRole('checkbox').uncheck()
  await page.getByRole('group', { name: 'In other windows' }).getByRole('checkbox').check()
  await page.getByRole('textbox', { name: /^Command/ }).fill('echo "line $((1 + 1))"')
  const refused = { json: { success: false, error: 'the program in this terminal does not read what is typed' } }
  await page.route('**/api/v1/wheelhouse/terminals/*/type', (route) => route.fulfill(refused), { times: 1 })
  await page.getByRole('button', { name: 'Send to 1 terminal', exact: true }).click()
  await expect(page.getByText(/does not read what is typed/)).toBeVisible()
  // What was refused is still there, for the terminal that has not got it.
  await expect(page.getByRole('textbox', { name: /^Command/ })).toHaveValue('echo "line $((1 + 1))"')
  await page.getByRole('button', { name: 'Send to 1 terminal', exact: true }).click()
  await expect(page.getByRole('textbox', { name: /^Command/ })).toHaveValue('')
  await page.getByRole('button', { name: 'Open terminals' }).click()
  await page
    .getByRole('dialog')
    .getByRole('listitem')
    .filter({ hasText: 'without a window' })
    .getByRole('button', { name: /^Show the terminal on/ })
    .click()
  const places = page.locator('section', { has: page.locator('.xterm') })
  await expect(places).toHaveCount(2)
  await terminalPane(page, places.nth(1)).expectText(/^line 2$/m)
  expect((await terminalPane(page, places.nth(0)).lines()).join('\n')).not.toContain('line 2')
})

test('somebody is told when a command ends: by the mark of a shell, or by silence', async ({ page, killable }) => {
  const shell = await openTerminal(page, killable.folder, killable.address)
  const tell = page.getByRole('button', { name: 'Tell me when this command ends' })
  await shell.run('sleep 1; echo done')
  await tell.click()
  await expectToast(page, 'This shell does not say when a command ends.')
  await expect(tell).toHaveAttribute('aria-pressed', 'true')
  await expectToast(page, /nothing was printed for 10 seconds/)
  await expect(tell).toHaveAttribute('aria-pressed', 'false')

  await shell.run(`printf '\\033]133;C\\033\\\\'; read wait; printf '\\033]133;D\\033\\\\'`)
  await tell.click()
  await expectToast(page, 'You are told when the shell says that the command has ended.')
  await shell.run('')
  await expectToast(page, /: the command has ended/)
})
