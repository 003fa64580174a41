import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { test } from '../../support/journeys/sharedServers.ts'
import { selfSigned } from '../../support/server/certificates/selfSigned.ts'
import { waitForOwnMachine } from '../../support/server/changeDatabase.ts'
import { spawnServer } from '../../support/server/process/spawnServer.ts'

const password = 'correct horse battery'

test.use({ ignoreHTTPSErrors: true })

/** The protocols by which the page itself, its code and its calls have come. */
const protocolsOf = (page: Page) =>
  page.evaluate(() => {
    const entries = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
    return [...new Set((entries as PerformanceResourceTiming[]).map(({ nextHopProtocol }) => nextHopProtocol))]
  })

test('a server with TLS of its own shows its list over HTTP/2, with its live data', async ({ page }) => {
  const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-e2e-tls-'))
  const files = { TLS_CERT: join(folder, 'cert.pem'), TLS_KEY: join(folder, 'key.pem') }
  writeFileSync(files.TLS_CERT, selfSigned.cert)
  writeFileSync(files.TLS_KEY, selfSigned.key)
  const server = await spawnServer({ DATA_DIR: join(folder, 'data'), ADMIN_PASSWORD: password, ...files })
  try {
    expect(server.address).toMatch(/^https:/)
    await waitForOwnMachine(join(folder, 'data'))
    await page.goto(`${server.address}/dashboard/login`)
    await page.getByLabel('Username').fill('admin')
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.keyboard.press('Enter')
    const rows = page.getByRole('table', { name: 'Servers' }).locator('tbody').getByRole('row')
    await expect(rows).toHaveCount(1)
    // By the live stream, which is a WebSocket.
    await expect(rows.getByText('Online')).toBeVisible()
    expect(await protocolsOf(page)).toEqual(['h2'])
  } finally {
    server.kill('SIGTERM')
    await server.ended
    rmSync(folder, { recursive: true, force: true })
  }
})
