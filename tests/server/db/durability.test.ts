import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { signInAt, startServerProcess } from '../../support/server/process/serverProcess.ts'
import { temporaryFolder } from '../../support/server/temporaryFolder.ts'

const password = 'correct horse'
const writes = 200

interface Client {
  createGroup(name: string): Promise<number>
  groups(): Promise<{ id: number; name: string }[]>
}

async function signIn(address: string): Promise<Client> {
  const login = await signInAt(address, 'admin', password)
  const cookies = login.cookies.map((cookie) => cookie.split(';', 1)[0] as string)
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
  const settings = { DATA_DIR: temporaryFolder(), ADMIN_PASSWORD: password }
  const server = await startServerProcess(settings)
  const client = await signIn(server.address)
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
        if (answered.size === writes / 2) server.kill('SIGKILL')
      }
    }),
  )
  await server.ended
  // Else the kill came too late to be in the middle.
  expect(unanswered).toBeGreaterThan(0)
  expect(answered.size).toBeGreaterThanOrEqual(writes / 2)

  const again = await startServerProcess(settings)
  const groups = await (await signIn(again.address)).groups()
  const nameById = new Map(groups.map(({ id, name }) => [id, name]))
  for (const [id, name] of answered) expect(nameById.get(id)).toBe(name)
  expect(nameById.size).toBeLessThanOrEqual(writes)
  expect(new Set(nameById.values()).size).toBe(nameById.size)

  again.kill('SIGKILL')
  await again.ended
  const database = new DatabaseSync(join(settings.DATA_DIR, 'wheelhouse.db'))
  expect(database.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
  database.close()
})
