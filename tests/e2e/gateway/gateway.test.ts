import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openTerminal } from '../../support/console/terminalPage.ts'
import { throughGateway as test } from '../../support/journeys/gatewayJourney.ts'
import { expect, password, signIn, username } from '../../support/journeys/journey.ts'
import { expectLiveMetrics, onlyMachine, renameMachine } from '../../support/journeys/serverList.ts'
import { signInByForm } from '../../support/journeys/signInForm.ts'

test('signing in, live metrics and saving work through the gateway', async ({ page }) => {
  await page.goto('/dashboard/login')
  await signInByForm(page, username, password)
  const machine = await onlyMachine(page)
  await expectLiveMetrics(machine)
  await renameMachine(page, machine, 'behind the gateway')
  await page.reload()
  await expect(machine).toHaveText([/behind the gateway/])
})

test('a terminal opens through the gateway', async ({ page, context }) => {
  await signIn(context)
  const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-e2e-shell-'))
  try {
    const shell = await openTerminal(page, folder)
    await shell.run('echo $((6*7)) through the gateway')
    await shell.expectText(/^42 through the gateway$/m)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
