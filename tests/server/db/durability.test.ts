import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, it } from 'vitest'

const password = 'correct horse'
const writes = 200

let folder: string
let running: ChildProcess | undefined
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'wheelhouse-durability-'))
})
afterEach(async () => {
  await kill()
  rmSync(folder, { recursive: true })
})

async function kill(): Promise<void> {
  if (!running || running.exitCode !== null || running.signalCode !== null) return
  const ended = once(running, 'exit')
  running.kill('SIGKILL')
  await ended
}

/** Starts the server as operators do. @returns its address, `http://127.0.0.1:port` */
async function start(): Promise<string> {
  const { ADMIN_PASSWORD: _own, PUBLIC_URL: _url, ...environment } = process.env
  running = spawn(process.execPath, [join(import.meta.dirname, '../../../server/main.ts')], {
    env: {
      ...environment,
      PORT: '0',
      HOST: '127.0.0.1',
      DATA_DIR: folder,
      ADMIN_PASSWORD: password,
      WATCH_THIS_MACHINE: 'false',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const text of running.stdout ?? []) {
    const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(String(text)) ?? []
    if (address) return address
  }
  throw new Error('The server ended before it was ready.')
}

interface Client {
  createGroup(name: string): Promise<number>
  groups(): Promise<{ id: number; name: string }[]>
}

async function signIn(address: string): Promise<Client> {
  const login = await fetch(`${address}/api/v1/login`, {
    method: 'POST',
    body: JSON.stringify({ username: 'admin', password }),
  })
  const cookies = login.headers.getSetCookie().map((cookie) => cookie.split(';', 1)[0] as string)
  const csrf = cookies.find((cookie) => cookie.startsWith('nz-csrf='))?.slice('nz-csrf='.length) ?? ''
  const headers = { cookie: cookies.join('; '), 'x-csrf-token': csrf, 'content-type': 'application/json' }

  async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(`${address}/api/v1/${path}`, { method, headers, body: JSON.stringify(body) })
    const reply = (await response.json()) as { success?: boolean; data: T; error?: string }
    if (!reply.success) throw new Error(`Refused: ${reply.error}`)
    return reply.data
  }

  return {
    createGroup: (name) => call('POST', 'server-group', { name }),
    async groups() {
      const rows = await call<{ group: { id: number; name: string } }[]>('GET', 'server-group')
      return rows.map(({ group }) => group)
    },
  }
}

it('a server killed in the middle of 200 writes starts again with every answered write and no damage', async () => {
  const client = await signIn(await start())
  const answered = new Map<number, string>()
  let unanswered = 0
  const numbers = Array.from({ length: writes }, (_, number) => number).values()
  // Some at a time: a server that has to wait for its disk refuses connections when there are more.
  await Promise.all(
    Array.from({ length: 20 }, async () => {
      for (const number of numbers) {
        try {
          answered.set(await client.createGroup(`group ${number}`), `group ${number}`)
        } catch {
          unanswered++
        }
        if (answered.size === writes / 2) running?.kill('SIGKILL')
      }
    }),
  )
  await kill()
  // Else the kill came too late to be in the middle.
  expect(unanswered).toBeGreaterThan(0)
  expect(answered.size).toBeGreaterThanOrEqual(writes / 2)

  const groups = await (await signIn(await start())).groups()
  const nameById = new Map(groups.map(({ id, name }) => [id, name]))
  for (const [id, name] of answered) expect(nameById.get(id)).toBe(name)
  expect(nameById.size).toBeLessThanOrEqual(writes)
  expect(new Set(nameById.values()).size).toBe(nameById.size)

  await kill()
  const database = new DatabaseSync(join(folder, 'wheelhouse.db'))
  expect(database.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
  database.close()
}, 60_000)
