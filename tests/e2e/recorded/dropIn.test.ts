import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { entryOf, filesLoaded, type Manifest } from '../../../scripts/build/bundleSize.ts'
import { openFilePanel } from '../../support/console/filePanel.ts'
import { pdfFile } from '../../support/console/pdfFile.ts'
import { droppedIn as test } from '../../support/journeys/gatewayJourney.ts'
import { expect, password, signIn, username } from '../../support/journeys/journey.ts'
import { onlyMachine } from '../../support/journeys/serverList.ts'
import { signInByForm } from '../../support/journeys/signInForm.ts'
import { temporaryFolderOfEachTest } from '../../support/journeys/temporaryFolder.ts'
import { root } from '../../support/root.ts'

const dist = join(root, 'dist')
let folder: string
temporaryFolderOfEachTest((made) => {
  folder = made
})

/** Bytes as they are, for such a server compresses nothing: a second and four over 2.4 Mbit/s. */
const limits = { login: 300_000, list: 1_200_000 }

// A browser notes that a page came with 404, which is how such a server hands out the console's own addresses.
test.afterEach(({ faults }) => {
  faults.splice(0, faults.length, ...faults.filter((fault) => !/status of 404 \(Not Found\)/.test(fault)))
})

test('signing in and deep links work on a server that serves the console as its own pages', async ({
  page,
  served,
}) => {
  await page.goto('/dashboard/login')
  await signInByForm(page, username, password)
  const machine = await onlyMachine(page)
  await expect.poll(() => machine.innerText()).toMatch(/\d+\s?%/)

  await page.goto('/dashboard/server-group/create')
  const create = page.getByRole('dialog', { name: 'Create: Server group' })
  await create.getByRole('textbox', { name: 'Name' }).fill('Deep')
  await create.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('table', { name: 'Server groups' })).toContainText('Deep')
  // Every 404 was the page at an address of its own; no file of the build was missing.
  expect(served.filter(({ status }) => status === 404).map(({ path }) => path)).toEqual([
    '/dashboard/login',
    '/dashboard/server-group/create',
  ])
})

test('the sign-in form stays within its size limit without compression', () => {
  const manifest: Manifest = JSON.parse(readFileSync(join(dist, '.vite', 'manifest.json'), 'utf8'))
  const files = ['index.html', ...filesLoaded(manifest, [entryOf(manifest)])]
  const bytes = files.reduce((sum, file) => sum + statSync(join(dist, file)).size, 0)
  expect(bytes, 'nothing was measured').toBeGreaterThan(100_000)
  expect(bytes).toBeLessThanOrEqual(limits.login)
})

test('the server list stays within its size limit without compression', async ({ page, context, served }) => {
  await signIn(context)
  await page.goto('/dashboard')
  await expect(page.getByRole('table', { name: 'Servers' }).locator('tr[data-row]')).toHaveCount(1)
  await page.waitForLoadState('networkidle')
  const bytes = served.reduce((sum, file) => sum + file.bytes, 0)
  expect(bytes, 'nothing was measured').toBeGreaterThan(300_000)
  expect(bytes, JSON.stringify(served, null, 1)).toBeLessThanOrEqual(limits.list)
})

test('a PDF is drawn on a server that serves the console as its own pages, with the tables for Chinese text', async ({
  page,
  context,
  served,
}) => {
  writeFileSync(join(folder, 'report.pdf'), pdfFile([{ text: '第一页' }]))
  await signIn(context)
  const files = await openFilePanel(page)
  await files.goTo(folder)
  await files.row('report.pdf').click()
  await expect(page.getByRole('dialog', { name: 'report.pdf' }).getByText('第一页')).toBeVisible()
  const tables = served.filter(({ path }) => path.endsWith('.bcmap'))
  expect(tables.map(({ status }) => status)).toContain(200)
})
