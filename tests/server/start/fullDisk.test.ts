import { closeSync, cpSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { hasNamespaces } from '../../support/server/process/namespaces.ts'
import { type ServerProcess, spawnServer } from '../../support/server/process/spawnServer.ts'
import { temporaryFolder } from '../../support/server/temporaryFolder.ts'

const password = 'correct horse'
/** Mounts a small file system over the data folder, seen by this process alone, and becomes the server. */
const onSmallDisk = [
  ...['unshare', '--map-root-user', '--mount', 'sh', '-c'],
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

/** How many sessions are on the disk: what a restart would find. */
function savedSessions(): unknown {
  // SQLite would look for the files of a foreign mount in its own.
  const copy = temporaryFolder()
  cpSync(folder, copy, { recursive: true })
  const database = new DatabaseSync(join(copy, 'wheelhouse.db'))
  const { sessions } = database.prepare('SELECT count(*) AS sessions FROM session').get() as { sessions: number }
  database.close()
  return sessions
}

beforeEach(async () => {
  const dataDir = temporaryFolder()
  server = await spawnServer({ DATA_DIR: dataDir, ADMIN_PASSWORD: password }, { through: onSmallDisk })
  onTestFinished(() => server.kill('SIGKILL'))
  expect(server.address, server.output()).not.toBe('')
  folder = `/proc/${server.pid}/root${dataDir}`
})

describe.runIf(hasNamespaces)('on a full disk', () => {
  it('people sign in and out, and everybody sees why nothing is saved, until there is space', async () => {
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
    expect(savedSessions()).toBe(2)
    const { body } = await call('GET', 'wheelhouse/audit?limit=1000', undefined, here)
    const actions = (body.data?.value ?? []).map(({ action }) => action)
    expect(actions.filter((action) => action === 'session.sign-in')).toHaveLength(4)
    expect(actions.filter((action) => action === 'session.sign-out')).toHaveLength(2)
  })

  it('wrong passwords are counted, and lock the address out', async () => {
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
