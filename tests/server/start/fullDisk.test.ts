import { execFileSync } from 'node:child_process'
import { closeSync, cpSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, onTestFinished } from 'vitest'
import { root } from '../../support/root.ts'
import { codeOf } from '../../support/server/auth/secondFactor.ts'
import { hasNamespaces } from '../../support/server/process/namespaces.ts'
import { type ServerProcess, spawnServer } from '../../support/server/process/spawnServer.ts'
import { temporaryFolder } from '../../support/server/temporaryFolder.ts'

const password = 'correct horse'
/** Mounts a small file system over the data folder, seen by this process alone, and becomes the server. */
const onSmallDisk = [
  'unshare',
  '--map-root-user',
  '--mount',
  'sh',
  '-c',
  'mount -t tmpfs -o size=3m,mode=0700 small "$DATA_DIR" && exec "$@"',
  'sh',
]

let server: ServerProcess
/** The data folder as the server sees it. */
let folder: string

async function call(method: string, path: string, body?: unknown, cookies: readonly string[] = []) {
  const values = new Map(cookies.map((text) => text.split(';', 1)[0]?.split('=') as [string, string]))
  const reply = await fetch(`${server.address}/api/v1/${path}`, {
    method,
    headers: {
      accept: 'application/json',
      cookie: [...values].map(([name, value]) => `${name}=${value}`).join('; '),
      'x-csrf-token': values.get('nz-csrf') ?? '',
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: reply.status, cookies: reply.headers.getSetCookie(), body: (await reply.json()) as Reply }
}

interface Reply {
  success?: boolean
  error?: string
  data?: { value?: { action: string }[]; username?: string; wheelhouse?: { warnings?: string[] } }
}

const signIn = async () => (await call('POST', 'login', { username: 'admin', password })).cookies

const warnings = async (cookies: readonly string[]) =>
  (await call('GET', 'setting', undefined, cookies)).body.data?.wheelhouse?.warnings ?? []

function fill(): void {
  const file = openSync(join(folder, 'fill'), 'a')
  for (const size of [65_536, 4096, 1]) {
    try {
      while (writeSync(file, Buffer.alloc(size)) === size);
    } catch (error) {
      expect(error).toHaveProperty('code', 'ENOSPC')
    }
  }
  closeSync(file)
}

/** The journal may have space of its own: it is used up too. @returns the first refusal */
async function writeUntilFull(cookies: readonly string[]) {
  for (let tries = 0; tries < 200; tries++) {
    const reply = await call('POST', 'server-group', { name: 'x'.repeat(100), servers: [] }, cookies)
    if (!reply.body.success) return reply
  }
  throw new Error('The disk never was full.')
}

/** A copy of what is on the disk: what a restart finds. */
function copyOfDisk(): string {
  const copy = temporaryFolder()
  cpSync(folder, copy, { recursive: true, filter: (name) => !name.endsWith('/fill') })
  return copy
}

/** Counts the rows of tables in a copy of the disk. SQLite would look for the files of a foreign mount in its own. */
function countRows(copy: string): (table: string) => unknown {
  const database = new DatabaseSync(join(copy, 'wheelhouse.db'))
  onTestFinished(() => database.close())
  return (table) => database.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.count
}

async function startOnSmallDisk(): Promise<void> {
  const dataDir = temporaryFolder()
  server = await spawnServer({ DATA_DIR: dataDir, ADMIN_PASSWORD: password }, { through: onSmallDisk })
  onTestFinished(() => server.kill('SIGKILL'))
  expect(server.address, server.output()).not.toBe('')
  folder = `/proc/${server.pid}/root${dataDir}`
}

describe.runIf(hasNamespaces)('on a full disk', () => {
  it('people sign in and out, and everybody sees why nothing is saved, until there is space', async () => {
    await startOnSmallDisk()
    const before = await signIn()
    fill()
    expect(await writeUntilFull(before)).toMatchObject({
      status: 507,
      body: { error: 'the disk of the server is full: nothing was saved; free some space and try again' },
    })
    expect(server.output()).toMatch(/: the disk is full\. Nothing can be saved until there is free space on it\.\n/)
    expect(server.output()).not.toMatch(/SQLITE_FULL|database or disk is full/)
    const [here, there] = [await signIn(), await signIn()]
    expect((await call('GET', 'profile', undefined, here)).body.data?.username).toBe('admin')
    expect((await call('POST', 'refresh-token', undefined, here)).body.success).toBe(true)
    expect(await warnings(here)).toContain('disk_full')
    for (const session of [before, there]) {
      expect((await call('POST', 'wheelhouse/logout', undefined, session)).body.success).toBe(true)
      expect((await call('GET', 'profile', undefined, session)).body.error).toBe('ApiErrorUnauthorized')
    }
    rmSync(join(folder, 'fill'))
    expect(await warnings(here)).toEqual([])
    expect((await call('POST', 'server-group', { name: 'Rack 1', servers: [] }, here)).body.success).toBe(true)
    await signIn()
    expect(countRows(copyOfDisk())('session')).toBe(2)
    const { body } = await call('GET', 'wheelhouse/audit?limit=1000', undefined, here)
    const actions = (body.data?.value ?? []).map(({ action }) => action)
    expect(actions.filter((action) => action === 'session.sign-in')).toHaveLength(4)
    expect(actions.filter((action) => action === 'session.sign-out')).toHaveLength(2)
  })

  it('what is revoked, blocked and deleted is so after a restart too, and nothing else takes the room for it', async () => {
    await startOnSmallDisk()
    const here = await signIn()
    const made = await call('POST', 'api-tokens', { name: 'stolen', scopes: ['nezha:*'] }, here)
    const { id } = made.body.data as { id: number }
    await call('POST', 'server-group', { name: 'Rack 1', servers: [] }, here)
    const begun = await call('POST', 'wheelhouse/second-factor/totp/start', undefined, here)
    const { secret, state } = begun.body.data as { secret: string; state: string }
    const code = codeOf(secret, Date.now())
    const added = await call('POST', 'wheelhouse/second-factor/totp', { state, code }, here)
    const { recovery_codes: codes = [] } = added.body.data as { recovery_codes?: string[] }
    const [stolenCode = '', recoveryCode = '', otherCode = ''] = codes
    const signInWith = async (recovery: string) => {
      const { body } = await call('POST', 'login', { username: 'admin', password })
      const { state } = body.data as { state: string }
      return call('POST', 'wheelhouse/sign-in', { state, method: 'recovery', code: recovery })
    }
    const stolen = (await signInWith(stolenCode)).cookies
    fill()
    await writeUntilFull(here)
    const proven = (await signInWith(recoveryCode)).cookies
    for (const [method, path, body] of [
      ['DELETE', `api-tokens/${id}`],
      ['POST', 'online-user/batch-block', ['203.0.113.7']],
      ['POST', 'batch-delete/server-group', [1]],
    ] as const) {
      expect((await call(method, path, body, proven)).body, path).toMatchObject({ success: true })
    }
    expect((await call('POST', 'wheelhouse/logout', undefined, stolen)).body.success).toBe(true)
    // What is deleted makes room inside of the database, which is for those who need it more.
    expect((await call('POST', 'server-group', { name: 'Rack 2', servers: [] }, proven)).status).toBe(507)

    const copy = copyOfDisk()
    server.kill('SIGKILL')
    const rows = countRows(copy)
    expect([rows('api_token'), rows('recovery_code')]).toEqual([0, codes.length - 2])
    server = await spawnServer({ DATA_DIR: copy, ADMIN_PASSWORD: password, WATCH_THIS_MACHINE: 'false' })
    expect(server.address, server.output()).not.toBe('')
    expect((await call('GET', 'profile', undefined, stolen)).body.error).toBe('ApiErrorUnauthorized')
    const again = (await signInWith(otherCode)).cookies
    expect(JSON.stringify((await call('GET', 'waf', undefined, again)).body)).toContain('203.0.113.7')
    expect(JSON.stringify((await call('GET', 'server-group', undefined, again)).body)).not.toContain('Rack 1')
    expect((await call('POST', 'server-group', { name: 'Rack 2', servers: [] }, again)).body.success).toBe(true)
  })

  it('the database is opened, and what is revoked then is written', () => {
    const program = `
      import { openSync, writeSync } from 'node:fs'
      import { openStore } from ${JSON.stringify(join(root, 'server/db/store.ts'))}
      const path = process.env.DATA_DIR + '/wheelhouse.db'
      openStore(path).close()
      const file = openSync(process.env.DATA_DIR + '/fill', 'a')
      for (const size of [65536, 4096, 1]) try { while (writeSync(file, Buffer.alloc(size)) === size); } catch {}
      const store = openStore(path)
      store.urgently(() => store.setValue('revoked', true))
      console.log(store.value('revoked'))`
    const [unshare = '', ...given] = onSmallDisk
    const env = { ...process.env, DATA_DIR: temporaryFolder() }
    const args = [...given, process.execPath, '--input-type=module', '--eval', program]
    expect(execFileSync(unshare, args, { env, encoding: 'utf8' })).toBe('true\n')
  })

  it('wrong passwords are counted, and lock the address out', async () => {
    await startOnSmallDisk()
    const session = await signIn()
    fill()
    await writeUntilFull(session)
    const statuses: number[] = []
    for (let tries = 0; tries < 4; tries++) {
      statuses.push((await call('POST', 'login', { username: 'admin', password: 'wrong' })).status)
    }
    expect(statuses).toContain(403)
  })
})
