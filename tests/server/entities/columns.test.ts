import { describe, expect, it } from 'vitest'
import { compileEntity } from '../../../server/entities/compileEntity.ts'
import { entities } from '../../../src/schemas/index.ts'
import { contractSettings } from '../../../src/schemas/settings/contractSettings.ts'

const held: Readonly<Record<string, string>> = { INTEGER: 'number', REAL: 'number', FLAG: 'boolean', TEXT: 'string' }

describe('the columns of a table', () => {
  it.each([...Object.values(entities), contractSettings].map((entity) => [entity.name, entity] as const))(
    'can hold what a record has at first, also in PostgreSQL: %s',
    (_, entity) => {
      const columns = compileEntity(entity).table.columns.filter(
        ({ type, initial }) => type !== 'JSON' && initial != null,
      )
      const unfit = columns.filter(({ type, initial }) => typeof initial !== held[type])
      expect(unfit).toEqual([])
    },
  )
})
