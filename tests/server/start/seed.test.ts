import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStore } from '../../../server/db/store.ts'
import { entityTable } from '../../../server/entities/entityTable.ts'
import { server as serverEntity } from '../../../src/schemas/server.ts'
import { serverGroup } from '../../../src/schemas/serverGroup.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wheelhouse-seed-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const seed = (...options: string[]) =>
  spawnSync(process.execPath, [join(import.meta.dirname, '../../../scripts/seed.ts'), ...options], {
    env: { ...process.env, DATA_DIR: folder },
    encoding: 'utf8',
  })

describe('the seed for load tests', () => {
  it('adds as many servers as asked for, each in one group and with metrics', () => {
    expect(seed('--servers', '50')).toMatchObject({ status: 0, stdout: expect.stringContaining('Added 50 servers') })
    const store = openStore(join(folder, 'wheelhouse.db'))
    const servers = entityTable(store, serverEntity).all()
    const members = entityTable(store, serverGroup).all()
    store.close()
    expect(servers).toHaveLength(50)
    expect(new Set(servers.map(({ name }) => name)).size).toBe(50)
    for (const row of servers)
      expect(row).toMatchObject({ host: { arch: 'x86_64' }, state: { cpu: expect.any(Number) } })
    expect(members.flatMap((group) => group.servers as number[]).sort((a, b) => a - b)).toEqual(
      servers.map(({ id }) => id),
    )
  })

  it('explains an invalid number', () => {
    expect(seed('--servers', 'many')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('--servers is "many": give a whole number'),
    })
  })
})
