import { describe, expect, it } from 'vitest'
import { entityTable } from '../../../server/entities/entityTable.ts'
import { createCoverage } from '../../../server/services/rounds.ts'
import { check } from '../../../src/schemas/checks/checks.ts'
import { server } from '../../../src/schemas/server.ts'
import { serviceFixture } from '../../support/server/fixtures/serviceFixture.ts'

describe('which machines check a service of an administrator', () => {
  async function covered(fields: object) {
    const { add, table, machines, store } = await serviceFixture({ machines: 2 })
    // The second machine is a member's.
    for (const id of [1, 2]) entityTable(store, server).update(id, { user_id: id })
    const roleOf = (id: number) => ({ 1: 0, 2: 1 })[id]
    const coverage = createCoverage({ store, machines, roleOf, now: () => Date.parse('2026-11-21T12:00:00Z') })
    const row = table.get(add(fields))
    return row ? coverage.serversOf(row).map(({ row: { id } }) => id) : []
  }
  const redis = { kind: 'redis', password: 'of tests' }

  it.each([
    ['all, where there is nothing to keep', { cover: 0 }, [1, 2]],
    ['all, for a check without a password', { cover: 0, check: check.parse({ kind: 'redis' }) }, [1, 2]],
    ['those of administrators, for a check with one', { cover: 0, check: check.parse(redis) }, [1]],
    ['and with exceptions', { cover: 0, skip_servers: { 9: true }, check: check.parse(redis) }, [1]],
    ['a member’s that is named', { cover: 1, skip_servers: { 2: true }, check: check.parse(redis) }, [2]],
    ['their own, for a member', { user_id: 2, cover: 0, check: check.parse(redis) }, [2]],
  ] as const)('%s', async (_name, fields, expected) => {
    expect(await covered(fields)).toEqual(expected)
  })
})
