import { openTerminal, preparePane } from '../../support/console/terminalPage.ts'
import { expect, test } from '../../support/journeys/killableJourney.ts'

test('a terminal reconnects after a restart of the server and keeps its output', async ({ page, killable }) => {
  const shell = await openTerminal(page, killable.folder, killable.address)
  await shell.run('i=0; while [ $i -lt 200 ]; do i=$((i+1)); echo "old row $i"; done; echo $((6 * 7)) before')
  await shell.expectText(/^42 before$/m)

  await killable.kill()
  // As long as it is away, it is tried again, and nothing is taken from the screen.
  await expect(page.getByText('The connection is lost. Trying again…')).toBeVisible()
  await shell.expectText(/^42 before$/m)

  await killable.revive()
  const card = page.getByRole('dialog')
  await expect(card).toContainText('The shell ended while the connection was lost.')
  await expect(async () => {
    // Where it is not known yet that the machine is back, the card comes again and says that.
    const again = card.getByRole('button', { name: 'Reconnect' })
    if (await again.isVisible()) await again.click()
    // A machine that has just come back may be slow to greet; a shell answers an empty line with its prompt.
    await shell.run('')
    const screen = (await shell.lines()).join('\n')
    expect(screen).toMatch(/^42 before\n(.*\n)*Reconnected at .+\n(.*\n)*./m)
    await expect(card).toBeHidden({ timeout: 1000 })
  }).toPass()
  // What is above it all can still be found.
  await page.keyboard.press('Control+Shift+F')
  await page.getByRole('search').getByRole('textbox').fill('old row 7')
  await expect(page.getByRole('search').getByRole('status')).toHaveText('11 of 11')
  await page.keyboard.press('Escape')
  await preparePane(shell, killable.folder)
  await shell.run('echo $((6 * 8)) after')
  await shell.expectText(/^48 after$/m)
})
