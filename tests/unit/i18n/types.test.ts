import { describe, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import type { EntityTexts } from '../../../i18n/define/entityTexts.ts'
import type { Label, Texts } from '../../../i18n/define/text.ts'
import type { RaTexts } from '../../../i18n/reactAdmin/raTexts.ts'
import { defineEntity } from '../../../src/schemas/define/entity.ts'
import { name } from '../../../src/schemas/define/fields.ts'

const lamp = defineEntity({ name: 'lamp', form: z.object({ name: name(), watts: z.int() }) })

const watts: Label = { it: 'Watt', zhCN: '瓦', zhTW: '瓦', de: 'Watt' }
const around = {
  name: { en: 'Lamp', it: 'Lampada |||| Lampade', zhCN: '灯', zhTW: '燈', de: 'Lampe |||| Lampen' },
  empty: { en: 'They shine.', it: 'Fanno luce.', zhCN: '发光。', zhTW: '發光。', de: 'Sie leuchten.' },
}

// The compiler is the test here: each line below an expectation must be refused, or `npm run check` fails.
describe('the compiler', () => {
  it('accepts an entity with a label for every field, and for dotted sources of columns', () => {
    const complete = { ...around, fields: { watts, 'socket.kind': watts } } satisfies EntityTexts<typeof lamp>
    expectTypeOf(complete).toExtend<EntityTexts<typeof lamp>>()
  })

  it('accepts an entity that says a common field in its own way', () => {
    const texts: EntityTexts<typeof lamp> = { ...around, fields: { watts, created_at: watts } }
    expectTypeOf(texts).toExtend<object>()
  })

  it('refuses an entity that lacks the label of a field', () => {
    // @ts-expect-error the label of `watts` is missing
    const texts: EntityTexts<typeof lamp> = { ...around, fields: {} }
    expectTypeOf(texts).toExtend<object>()
  })

  it('refuses a label for a field that the schema does not know', () => {
    const texts: EntityTexts<typeof lamp> = {
      ...around,
      // @ts-expect-error `wats` is a slip
      fields: { watts, wats: watts },
    }
    expectTypeOf(texts).toExtend<object>()
  })

  it('refuses a label that lacks a language', () => {
    const { de: _, ...incomplete } = watts
    // @ts-expect-error the German label is missing
    const texts: EntityTexts<typeof lamp> = { ...around, fields: { watts: incomplete } }
    expectTypeOf(texts).toExtend<object>()
  })

  it('refuses a text with a missing or a stray language', () => {
    const retry = { en: 'Retry', it: 'Riprova', zhCN: '重试', zhTW: '重試', de: 'Erneut versuchen' }
    expectTypeOf({ list: { retry } }).toExtend<Texts>()
    const { it: _, ...incomplete } = retry
    // @ts-expect-error Italian is missing
    const missing: Texts = { list: { retry: incomplete } }
    // @ts-expect-error nobody speaks `fr`
    const stray: Texts = { list: { retry: { ...retry, fr: 'Réessayer' } } }
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
