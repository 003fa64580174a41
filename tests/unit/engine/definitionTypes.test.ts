import { describe, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { action, dialog } from '../../../src/engine/define/action.ts'
import { column, defineResource } from '../../../src/engine/define/defineResource.ts'
import { field, section } from '../../../src/engine/define/form.ts'
import { endpoint } from '../../../src/schemas/define/endpoint.ts'
import { defineEntity, type RecordOf } from '../../../src/schemas/define/entity.ts'
import { flag, name } from '../../../src/schemas/define/fields.ts'
import type { drill } from '../../support/drill/src/schemas/drill.ts'

const device = defineEntity({
  name: 'device',
  form: z.object({ name: name(), enabled: flag() }),
  computed: z.object({ added_at: z.string().optional(), system: z.looseObject({ kind: z.string() }) }),
})
const Cell = () => null
const loadCell = async () => ({ default: Cell })
const restart = endpoint('POST', 'device/:id/restart', {
  reply: z.object({ ports: z.int() }),
})

// The compiler is the test here: each line below an expectation must be refused, or `npm run check` fails.
describe('The compiler', () => {
  it('accepts a definition that fits its schema', () => {
    const resource = defineResource(device, {
      columns: ['id', 'name', 'added_at', column('enabled', { Cell }), column('system.kind', { Cell })],
      filters: ['enabled'],
      form: ['name', section('state', ['enabled'])],
      rowActions: [action('restart', restart, { input: ([id]) => ({ id: Number(id) }) }), 'edit'],
    })
    expectTypeOf(resource.columns).toExtend<readonly object[]>()
  })

  it('refuses a column that is misspelt', () => {
    // @ts-expect-error `nmae` is a slip
    defineResource(device, { columns: ['nmae'] })
    // @ts-expect-error so is this one, in a column of its own making
    defineResource(device, { columns: [column('sytsem.kind', { Cell })] })
  })

  it('gives the functions of a column rows as the schema says, and refuses those for rows of another entity', () => {
    defineResource(device, { columns: [column('name', { Cell, sort: ({ enabled }) => enabled === true })] })
    // @ts-expect-error a device has no such field
    defineResource(device, { columns: [column('name', { Cell, text: (row) => row.nmae.trim() })] })
    const minutes = column('name', { Cell, text: ({ duration }: RecordOf<typeof drill>) => `${duration}` })
    // @ts-expect-error a device is no drill
    defineResource(device, { columns: [minutes] })
    // @ts-expect-error there is no such entity
    column('name', { Cell, needs: ['divice'] })
  })

  it('refuses an input for a field that only the server writes', () => {
    // @ts-expect-error nobody edits when it was added
    defineResource(device, { columns: [], form: ['added_at'] })
    // @ts-expect-error not in a section either
    defineResource(device, { columns: [], form: [section('state', ['id'])] })
    // @ts-expect-error nor with an input of its own
    defineResource(device, { columns: [], form: [field('id', loadCell)] })
  })

  it('refuses an action whose input or report does not fit its endpoint', () => {
    // @ts-expect-error the endpoint wants a number
    action('restart', restart, { input: ([id]) => ({ id: String(id) }) })
    // @ts-expect-error the reply has no such field
    action('restart', restart, { report: ({ pots }) => ({ key: 'x', args: { pots } }) })
  })

  it('refuses a dialog that does not say who may open it', () => {
    // @ts-expect-error `access` is missing
    dialog('charts', loadCell, {})
    // @ts-expect-error there is no such rule
    dialog('charts', loadCell, { access: 'boss' })
  })

  it('refuses an unknown key and an unknown role', () => {
    // @ts-expect-error there is no such rule
    defineEntity({ name: 'x', form: z.object({}), access: { delete: 'boss' } })
    // @ts-expect-error there is no such verb
    defineEntity({ name: 'x', form: z.object({}), api: { verbs: ['remove'] } })
  })

  it('knows the type of every field of a record', () => {
    expectTypeOf<RecordOf<typeof device>['enabled']>().toEqualTypeOf<boolean>()
    expectTypeOf<RecordOf<typeof device>['added_at']>().toEqualTypeOf<string | undefined>()
    expectTypeOf<RecordOf<typeof device>['id']>().toEqualTypeOf<number>()
  })
})
