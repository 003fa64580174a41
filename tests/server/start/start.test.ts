import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { spawn } from '@lydell/node-pty'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { WebSocket } from 'ws'
import { signIn } from '../../../scripts/soak/api.ts'
import { ownMachine } from '../../../scripts/soak/seedRecords.ts'
import { keepTrace } from '../../../server/start/crashTrace.ts'
import type { Setting } from '../../../src/schemas/settings/setting.ts'
import { receiver } from '../../support/fakes/receiver.ts'
import { isOnPostgres } from '../../support/server/emptyStore.ts'
import { signInAt, startServerProcess, watching } from '../../support/server/process/serverProcess.ts'
import { spawnServer } from '../../support/server/process/spawnServer.ts'
import { startServerHere } from '../../support/server/process/startServerHere.ts'
import { temporaryFolder } from '../../support/server/temporaryFolder.ts'

const password = 'correct horse'
const newDataDir = () => join(temporaryFolder(), 'deep', 'data')

describe('a start with DISABLE_COMMAND_EXECUTE', () => {
  it('shows this machine as one that runs no commands', async () => {
    const settings = { DATA_DIR: newDataDir(), ADMIN_PASSWORD: password, DISABLE_COMMAND_EXECUTE: 'true' }
    const server = await startServerHere({ ...settings, ...watching })
    const { cookies } = await signInAt(server.address, 'admin', password)
    const cookie = cookies.map((text) => text.split(';')[0]).join('; ')
    async function config(): Promise<unknown> {
      const reply = await fetch(`${server.address}/api/v1/server/config/1`, { headers: { cookie } })
      const { data } = (await reply.json()) as { data?: string }
      return JSON.parse(data ?? 'null')
    }
    await expect.poll(config).toMatchObject({ disable_command_execute: true })
  })
})

describe('a start with WATCH_THIS_MACHINE=false', () => {
  it('leaves this machine out of the list', async () => {
    const dataDir = newDataDir()
    const rows = async (settings: Record<string, string>, count: number) => {
      const server = await startServerHere({ DATA_DIR: dataDir, ADMIN_PASSWORD: password, ...settings })
      const { cookies } = await signInAt(server.address, 'admin', password)
      const cookie = cookies.map((text) => text.split(';')[0]).join('; ')
      const list = async () => {
        const reply = await fetch(`${server.address}/api/v1/server`, { headers: { cookie } })
        return ((await reply.json()) as { data?: object[] }).data ?? []
      }
      // The machine would report at once, and then every two seconds.
      if (count === 0) await new Promise((resolve) => setTimeout(resolve, 3000))
      await expect.poll(list).toHaveLength(count)
      await server.stop()
    }
    await rows({ WATCH_THIS_MACHINE: 'false' }, 0)
    await rows(watching, 1)
  })
})

describe('the first start', () => {
  it('without a terminal writes the password to a file, until that user signs in', async () => {
    const dataDir = newDataDir()
    const server = await startServerProcess({ DATA_DIR: dataDir, FORCE_AUTH: 'true' })
    const file = join(dataDir, 'admin-password.txt')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const generated = readFileSync(file, 'utf8').trim()
    expect(generated).toMatch(/^\w{20}$/)
    await expect.poll(server.output).toContain(file)
    expect(server.output()).not.toContain(generated)
    expect(server.output()).toContain('/dashboard; visitors see nothing before they sign in.\n')
    expect(await signInAt(server.address, 'admin', generated)).toMatchObject({ body: { success: true } })
    expect(existsSync(file)).toBe(false)
  })

  it('on a terminal prints the password once, and writes no file', async () => {
    const dataDir = newDataDir()
    const first = await onTerminal(dataDir)
    await expect.poll(first.text).toContain('First start')
    const shown = /sign in as "admin" with the password (\w{20}) /.exec(first.text())?.[1] ?? ''
    expect(await signInAt(first.address(), 'admin', shown)).toMatchObject({ body: { success: true } })
    expect(existsSync(join(dataDir, 'admin-password.txt'))).toBe(false)
    await first.end()
    const second = await onTerminal(dataDir)
    expect(second.text()).not.toMatch(/password/i)
    expect(await signInAt(second.address(), 'admin', shown)).toMatchObject({ body: { success: true } })
    await second.end()
  })

  it('uses the password of the operator, prints it nowhere, and writes nothing that other users can read', async () => {
    const dataDir = newDataDir()
    const first = await startServerProcess({ DATA_DIR: dataDir, ADMIN_PASSWORD: password })
    expect(await signInAt(first.address, 'admin', password)).toMatchObject({ body: { success: true } })
    expect(first.output()).toBe(
      `Wheelhouse ${version()} is ready: ${first.address}/\n` +
        `Sign in at ${first.address}/dashboard; visitors see the status page at /.\n`,
    )
    expect(statSync(dataDir).mode & 0o777).toBe(0o700)
    expect(readdirSync(dataDir)).not.toContain('admin-password.txt')
    for (const name of readdirSync(dataDir))
      expect([name, statSync(join(dataDir, name)).mode & 0o077]).toEqual([name, 0])
    first.kill('SIGTERM')
    await first.ended
    // It is not needed again.
    const second = await startServerHere({ DATA_DIR: dataDir, ADMIN_PASSWORD: 'another horse' })
    expect(await signInAt(second.address, 'admin', password)).toMatchObject({ body: { success: true } })
  })

  it('restricts an empty folder that was open to others', async () => {
    const dataDir = temporaryFolder()
    chmodSync(dataDir, 0o755)
    await startServerHere({ DATA_DIR: dataDir, ADMIN_PASSWORD: password })
    expect(statSync(dataDir).mode & 0o777).toBe(0o700)
  })
})

describe('the shutdown of a server', () => {
  it.each([
    ['SIGTERM', watching],
    ['SIGINT', {}],
    ['SIGHUP', {}],
  ] as const)('on %s is clean and quick, whoever is connected', async (signal, watched) => {
    const dataDir = newDataDir()
    const server = await startServerProcess({ DATA_DIR: dataDir, ADMIN_PASSWORD: password, ...watched })
    const sockets = Array.from({ length: 5 }, () => new WebSocket(`${server.address}/api/v1/ws/server`))
    await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('message', resolve))))
    for (const socket of sockets) socket.on('error', () => {})
    const start = performance.now()
    server.kill(signal)
    server.kill(signal)
    expect(await server.ended).toBe(0)
    expect(performance.now() - start).toBeLessThan(8000)
    const ofSqlite = ['audit.log', 'history.db', 'wheelhouse.db', 'wheelhouse.db.reserve']
    expect(readdirSync(dataDir).sort()).toEqual(['server.lock', ...(isOnPostgres ? [] : ofSqlite)].sort())
  })

  it('by kill -9 does not prevent the next start, and sessions stay valid', async () => {
    const dataDir = newDataDir()
    const first = await startServerProcess({ DATA_DIR: dataDir, ADMIN_PASSWORD: password })
    const { cookies } = await signInAt(first.address, 'admin', password)
    first.kill('SIGKILL')
    await first.ended
    const second = await startServerHere({ DATA_DIR: dataDir })
    const cookie = cookies.map((text) => text.split(';')[0]).join('; ')
    const profile = await fetch(`${second.address}/api/v1/profile`, { headers: { cookie } })
    expect(await profile.json()).toMatchObject({ success: true, data: { username: 'admin' } })
  })
})

describe('a server that ends by an error that nobody caught', () => {
  it('is started again at once, keeps the error in a file, and tells administrators on every screen', async () => {
    const dataDir = newDataDir()
    const provoke = join(temporaryFolder(), 'provoke.mjs')
    writeFileSync(provoke, `process.on('SIGUSR2', () => { throw new Error('nobody caught this') })`)
    const started = spawnServer(
      { DATA_DIR: dataDir, ADMIN_PASSWORD: password, WATCH_THIS_MACHINE: 'false' },
      { entry: 'server/cli.ts', nodeArgs: ['--import', provoke] },
    )
    onTestFinished(async () => (await started).kill('SIGKILL'))
    const launcher = await started
    const addresses = () => [...launcher.output().matchAll(/is ready: (\S+)\//g)].map(([, address = '']) => address)
    const pid = () => Number(readFileSync(join(dataDir, 'server.pid'), 'utf8'))
    const warnings = async () => {
      const address = addresses().at(-1) ?? ''
      const { cookies } = await signInAt(address, 'admin', password)
      const cookie = cookies.map((text) => text.split(';')[0]).join('; ')
      const forWhom = [{ cookie }, { cookie: '' }].map((headers) => fetch(`${address}/api/v1/setting`, { headers }))
      const replies = await Promise.all((await Promise.all(forWhom)).map((reply) => reply.json()))
      return replies.map((reply) => (reply as { data: Setting }).data.wheelhouse?.warnings ?? [])
    }
    expect(await warnings()).toEqual([[], []])

    process.kill(pid(), 'SIGUSR2')
    await vi.waitFor(() => expect(addresses()).toHaveLength(2))
    const file = join(dataDir, 'crash.log')
    expect(readFileSync(file, 'utf8')).toMatch(/^20\S+ Wheelhouse .*\nError: nobody caught this\n +at /)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(launcher.output()).toContain(`ended by an error, which is in ${file}`)
    expect(await warnings()).toEqual([['restarted'], []])

    process.kill(pid(), 'SIGKILL')
    await vi.waitFor(() => expect(addresses()).toHaveLength(3))
    expect(launcher.output()).toContain('ended without a trace: it was killed')

    launcher.kill('SIGTERM')
    expect(await launcher.ended).toBe(0)
    const next = await startServerProcess({ DATA_DIR: dataDir })
    expect(next.output()).not.toContain('The server before this start ended')
  })

  it('keeps the latest errors, in a file that does not grow for ever', () => {
    const file = join(temporaryFolder(), 'crash.log')
    const error = (number: number) => Object.assign(new Error(`number ${number}`), { long: 'x'.repeat(50_000) })
    for (let number = 0; number < 40; number++) keepTrace(file, error(number), '1.2.3', { error() {} })
    expect(statSync(file).size).toBeLessThanOrEqual(256 * 1024)
    expect(
      readFileSync(file, 'utf8')
        .match(/Error: number \d+/g)
        ?.slice(0, 2),
    ).toEqual(['Error: number 39', 'Error: number 38'])
  })

  it('says so where the file cannot be written, and ends all the same', () => {
    const said: string[] = []
    keepTrace(join(temporaryFolder(), 'gone', 'crash.log'), new Error('x'), '1.2.3', {
      error: (text) => said.push(text),
    })
    expect(said).toEqual([expect.stringContaining('cannot be kept')])
  })
})

describe('the end', () => {
  it('leaves nothing behind while services, notifiers and DDNS wait for targets that switch protocols', async () => {
    let asked = 0
    const { origin } = await receiver((reply) => {
      asked++
      reply.writeHead(101, { connection: 'upgrade', upgrade: 'x' }).end()
    })
    const dataDir = newDataDir()
    const server = await startServerProcess({ DATA_DIR: dataDir, ADMIN_PASSWORD: password, ...watching })
    const api = await signIn(server.address, { username: 'admin', password })
    const { id, name } = await ownMachine(api)
    const notifier = { name: 'n', url: origin, request_method: 1, request_type: 1, skip_check: true }
    const notification_group_id = await api.call('POST', 'notification-group', {
      name: 'g',
      notifications: [await api.call('POST', 'notification', notifier)],
    })
    const service = { type: 1, target: origin, duration: 1, cover: 0, skip_servers: {} }
    await api.call('POST', 'service', { name: 's', ...service, notify: true, notification_group_id })
    const webhook = { provider: 'webhook', webhook_url: origin, webhook_method: 1, max_retries: 9 }
    const domains = Array.from({ length: 20 }, (_, at) => `${at}.example.org`)
    const ddns = await api.call('POST', 'ddns', { name: 'd', ...webhook, domains, enable_ipv4: true })
    await api.call('PATCH', `server/${id}`, { name, enable_ddns: true, ddns_profiles: [ddns] })
    await expect.poll(() => asked).toBeGreaterThan(3)
    type Overview = { services: Record<string, { state?: string; problem?: string }> }
    const state = async () => Object.values((await api.call<Overview>('GET', 'service')).services)[0]
    await expect.poll(state).toMatchObject({ problem: '101 Switching Protocols' })
    server.kill('SIGTERM')
    expect(await server.ended).toBe(0)
    expect(readdirSync(dataDir)).not.toContain('server.pid')
    expect(server.output()).not.toMatch(/failed|Error/)
  })
})

describe('listening beyond this machine', () => {
  it('causes a warning', async () => {
    const server = await startServerProcess({ DATA_DIR: newDataDir(), ADMIN_PASSWORD: password, HOST: '0.0.0.0' })
    await expect
      .poll(server.output)
      .toContain('Warning: Listening on 0.0.0.0: whoever can reach this port is one password away')
  })
})

async function onTerminal(dataDir: string) {
  const settings = { PORT: '0', DATA_DIR: dataDir, WATCH_THIS_MACHINE: 'false' }
  const env: Record<string, string> = { ...(process.env as Record<string, string>), ...settings }
  for (const name of ['NODE_OPTIONS', 'VITEST', 'NODE_ENV', 'ADMIN_PASSWORD']) delete env[name]
  const terminal = spawn(process.execPath, ['server/main.ts'], { cwd: process.cwd(), env, cols: 300 })
  let text = ''
  let isOver = false
  terminal.onData((chunk) => {
    text += chunk
  })
  const ended = new Promise<void>((resolve) => terminal.onExit(() => resolve()))
  void ended.then(() => {
    isOver = true
  })
  onTestFinished(() => {
    if (!isOver) terminal.kill('SIGKILL')
  })
  const address = () => /is ready: (\S+)\/\r?\n/.exec(text)?.[1] ?? ''
  await expect.poll(address).toMatch(/^http/)
  return {
    text: () => text,
    address,
    end() {
      terminal.kill('SIGTERM')
      return ended
    },
  }
}

function version(): string {
  return JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')).version
}
