import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { test } from '../../support/journeys/sharedServers.ts'
import { signInByForm } from '../../support/journeys/signInForm.ts'
import { type ServerProcess, spawnServer } from '../../support/server/process/spawnServer.ts'

const password = 'correct horse battery'
let folder: string
let upstream: ServerProcess
let gateway: ServerProcess

const startUpstream = (settings: Record<string, string> = {}) =>
  spawnServer({ DATA_DIR: join(folder, 'data'), ADMIN_PASSWORD: password, ...settings })

test.beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'wheelhouse-e2e-'))
  upstream = await startUpstream()
  gateway = await spawnServer({ UPSTREAM: upstream.address })
})

test.afterEach(async () => {
  for (const server of [gateway, upstream]) {
    server.kill('SIGKILL')
    await server.ended
  }
  rmSync(folder, { recursive: true, force: true })
})

test('the sign-in form says what to do while the upstream server is down, and works when it is up again', async ({
  page,
}) => {
  const { port } = new URL(upstream.address)
  upstream.kill('SIGKILL')
  await upstream.ended
  await page.goto(`${gateway.address}/dashboard/login`)
  await signInByForm(page, 'admin', password)
  const words = `The server at ${upstream.address} refuses connections: start it, or correct UPSTREAM.`
  await expect(page.getByText(words)).toBeVisible()

  upstream = await startUpstream({ PORT: port })
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page.getByRole('heading', { name: 'Servers', level: 1 })).toBeVisible()
})
