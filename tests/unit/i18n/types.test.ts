import { describe, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import type { EntityTexts, RaTexts, SameShape } from '../../../i18n/types.ts'
import { defineEntity } from '../../../src/schemas/define/entity.ts'
import { name } from '../../../src/schemas/define/fields.ts'

const lamp = defineEntity({ name: 'lamp', form: z.object({ name: name(), watts: z.int() }) })

const fields = { id: 'ID', name: 'Name', watts: 'Watts', created_at: 'Created at', updated_at: 'Updated at' }
const around = {
  name: 'Lamp |||| Lamps',
  counted: '%{smart_count} lamp |||| %{smart_count} lamps',
  empty: 'They shine.',
}

// The compiler is the test here: each line below an expectation must be refused, or `npm run check` fails.
describe('the compiler', () => {
  it('accepts an entity with a label for every field, and for dotted sources of columns', () => {
    const complete = { ...around, fields: { ...fields, 'socket.kind': 'Socket' } } satisfies EntityTexts<typeof lamp>
    expectTypeOf(complete).toExtend<EntityTexts<typeof lamp>>()
  })

  it('refuses an entity that lacks the label of a field', () => {
    const { watts: _left, ...incomplete } = fields
    // @ts-expect-error the label of `watts` is missing
    const texts: EntityTexts<typeof lamp> = { ...around, fields: incomplete }
    expectTypeOf(texts).toExtend<object>()
  })

  it('refuses a label for a field that the schema does not know', () => {
    const texts: EntityTexts<typeof lamp> = {
      ...around,
      // @ts-expect-error `wats` is a slip
      fields: { id: '', name: '', watts: '', created_at: '', updated_at: '', wats: 'Watts' },
    }
    expectTypeOf(texts).toExtend<object>()
  })

  it('refuses a language with a missing or a stray text', () => {
    const english = { list: { retry: 'Retry' } }
    type Shape = SameShape<typeof english>
    expectTypeOf({ list: { retry: 'Riprova' } }).toExtend<Shape>()
    // @ts-expect-error `retry` is missing
    const missing: Shape = { list: {} }
    // @ts-expect-error `refresh` is not in English
    const stray: Shape = { list: { retry: 'Riprova', refresh: 'Aggiorna' } }
    expectTypeOf([missing, stray]).toExtend<object>()
  })

  it("refuses a misspelt key among react-admin's own words", () => {
    const boolean: RaTexts['boolean'] = {
      true: 'Sì',
      false: 'No',
      null: ' ',
      // @ts-expect-error react-admin has no such key, though its own type would let it pass
      nul: ' ',
    }
    expectTypeOf(boolean).toExtend<object>()
  })
})
