import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { WebSocket } from 'ws'
import packageJson from '../../../package.json' with { type: 'json' }
import { cookies, csrfHeader } from '../../../src/schemas/define/wireNames.ts'
import { copyProject, npm } from '../../support/journeys/packed.ts'
import { test } from '../../support/journeys/sharedServers.ts'
import { signInByForm } from '../../support/journeys/signInForm.ts'
import { runProgram } from '../../support/server/process/runCli.ts'
import { type ServerProcess, spawnServer } from '../../support/server/process/spawnServer.ts'

const password = 'correct horse battery'
/** Bytes. A small machine has room for it; today it is a quarter of this. */
const installedAtMost = 40_000_000

let folder: string
let project: string
let prefix: string
let server: ServerProcess | undefined

test.describe.configure({ mode: 'serial' })

/** The one file is made and installed in an empty place, where npm has neither a registry nor a cache. */
test.beforeAll(async () => {
  test.setTimeout(300_000)
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'wheelhouse-packed-')))
  project = join(folder, 'project')
  prefix = join(folder, 'prefix')
  copyProject(project)
  await npm(['pack', '--pack-destination', folder], project)
  mkdirSync(join(folder, 'empty'))
  const alone = ['--offline', '--cache', join(folder, 'cache'), '--prefix', prefix, '--no-audit', '--no-fund']
  const file = join(folder, `wheelhouse-${packageJson.version}.tgz`)
  await npm(['install', '--global', ...alone, file], join(folder, 'empty'))
})

test.afterAll(async () => {
  server?.kill('SIGKILL')
  await server?.ended
  rmSync(folder, { recursive: true, force: true })
})

const installed = () => join(prefix, 'lib', 'node_modules', 'wheelhouse')

/** As npm put it on the path. */
const command = (...args: string[]) =>
  runProgram(join(prefix, 'bin', 'wheelhouse'), args, {
    cwd: join(folder, 'empty'),
    settings: { DATA_DIR: join(folder, 'data') },
  })

test('packing leaves the working tree unchanged', () => {
  expect(readFileSync(join(project, 'package.json'), 'utf8')).toBe(readFileSync('package.json', 'utf8'))
})

test('the packed file is small, contains all it needs, and has no install scripts', () => {
  const files = readdirSync(prefix, { recursive: true, encoding: 'utf8' })
  const bytes = files.map((name) => lstatSync(join(prefix, name)).size)
  expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(installedAtMost)
  expect(files.filter((name) => /binding\.gyp$|\.(c|cc|cpp|ts)$/.test(name) && !name.endsWith('.d.ts'))).toEqual([])

  const own = join(installed(), 'package.json')
  expect(JSON.parse(readFileSync(own, 'utf8'))).toMatchObject({ version: packageJson.version, dependencies: {} })
  for (const name of files.filter((name) => name.endsWith('package.json'))) {
    const { scripts = {} } = JSON.parse(readFileSync(join(prefix, name), 'utf8'))
    expect([name, scripts.preinstall, scripts.install, scripts.postinstall]).toEqual([
      name,
      ...Array(3).fill(undefined),
    ])
  }
  for (const name of ['README.md', 'LICENSE', 'bin/licenses.md', 'dist/.vite/license.md', 'docs/guides/deploy.md']) {
    expect(lstatSync(join(installed(), name)).size).toBeGreaterThan(500)
  }
})

test('the installed command serves the console, and signing in works', async ({ page }) => {
  server = await spawnServer(
    { DATA_DIR: join(folder, 'data'), ADMIN_PASSWORD: password, BACKUP_DIR: join(folder, 'backups') },
    { entry: join(installed(), 'bin/wheelhouse.js'), cwd: join(folder, 'empty') },
  )
  expect(server.output()).toContain(`Wheelhouse ${packageJson.version} is ready`)
  await page.goto(server.address)
  // The status page is in the file too.
  await expect(page.getByRole('combobox', { name: 'Language' })).toBeVisible()
  await page.getByRole('link', { name: 'Sign in' }).click()
  await signInByForm(page, 'admin', password)
  await expect(page.getByRole('heading', { name: 'Servers', level: 1 })).toBeVisible()
  await expect(page.getByRole('table', { name: 'Servers' }).getByText('Online', { exact: true })).toBeVisible()
})

test('the installed server is watched by a thread of its own', () => {
  const pid = readFileSync(join(folder, 'data', 'server.pid'), 'utf8').trim()
  const threads = readdirSync(`/proc/${pid}/task`).map((id) => readFileSync(`/proc/${pid}/task/${id}/comm`, 'utf8'))
  expect(threads).toContain('watchdog\n')
})

test('a terminal of the installed server runs a shell', async ({ context }) => {
  const { address } = server as ServerProcess
  await context.request.post(`${address}/api/v1/login`, { data: { username: 'admin', password } })
  const savedCookies = await context.cookies(address)
  const headers = { [csrfHeader]: savedCookies.find(({ name }) => name === cookies.csrf)?.value ?? '' }
  const reply = await context.request.post(`${address}/api/v1/terminal`, { data: { server_id: 1 }, headers })
  const { data } = (await reply.json()) as { data: { session_id: string } }

  const socket = new WebSocket(`${address.replace('http', 'ws')}/api/v1/ws/terminal/${data.session_id}`, {
    headers: { cookie: savedCookies.map(({ name, value }) => `${name}=${value}`).join('; ') },
  })
  let output = ''
  socket.on('message', (chunk) => {
    output += chunk
  })
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  socket.send('echo the answer is $((6 * 7))\n')
  await expect.poll(() => output).toContain('the answer is 42')
  socket.close()
})

test('the installed server makes backups by schedule', async () => {
  const names = () => readdirSync(join(folder, 'backups')).sort()
  await expect
    .poll(names)
    .toEqual([
      expect.stringMatching(/^wheelhouse-\d{8}T\d{6}Z\.db$/),
      expect.stringMatching(/^wheelhouse-\d{8}T\d{6}Z\.history\.db$/),
    ])
})

test('the installed command backs up and restores', async () => {
  const copy = join(folder, 'copy.db')
  expect((await command('--help')).stdout).toContain('Usage: wheelhouse [COMMAND]')
  expect(await command('--version')).toMatchObject({ code: 0, stdout: `${packageJson.version}\n` })
  expect(await command('backup', copy)).toMatchObject({ code: 0, stderr: '' })
  expect((await command('restore', copy)).stderr).toContain('is using the data folder')
  server?.kill('SIGTERM')
  expect(await server?.ended).toBe(0)
  expect(await command('restore', copy)).toMatchObject({ code: 0, stderr: '' })
  expect((await command('reset-password')).stdout).toMatch(/^The password of "admin" is now \w{20} /)
})
