import { describe, expect, it } from 'vitest'
import { describeField, describeFields, type Kind } from '../../../src/schemas/define/describe.ts'
import { everyKind } from '../../support/console/everyKind.ts'

const field = (name: string) => describeField(everyKind, name)

describe('The description of a field', () => {
  const kinds: Record<string, Kind> = {
    name: 'text',
    integer: 'number',
    decimal: 'number',
    flag: 'flag',
    choice: 'choice',
    ref: 'ref',
    refs: 'refs',
    id_set: 'idSet',
    list: 'list',
    json: 'json',
    url: 'url',
    secret: 'secret',
    multiline: 'multiline',
    time_of_day: 'text',
    moment: 'moment',
    computed_moment: 'moment',
    created_at: 'moment',
  }

  it.each(Object.entries(kinds))('%s is of the kind %s', (name, kind) => {
    expect(field(name)?.kind).toBe(kind)
  })

  it('has the bounds that the schema states, and none that zod adds', () => {
    expect(field('integer')).toMatchObject({ minimum: 5, maximum: 100, integer: true })
    expect([field('choice')?.minimum, field('choice')?.maximum]).toEqual([undefined, undefined])
    expect(field('decimal')?.integer).toBe(false)
    expect(field('short_text')?.maxLength).toBe(5)
  })

  it('names the entities of references, and codes', () => {
    expect([field('ref')?.to, field('refs')?.to, field('id_set')?.to]).toEqual(['server', 'user', 'server'])
    expect(field('choice')?.choices).toEqual({ 0: 'first', 1: 'second' })
  })

  it('distinguishes fields that may be null from fields that may be empty', () => {
    expect([field('computed_moment')?.nullable, field('url')?.nullable, field('multiline')?.nullable]).toEqual([
      true,
      false,
      false,
    ])
  })

  it('requires a value unless there is a default or the field may be absent', () => {
    const required = describeFields(everyKind).filter((one) => one.editable && one.required)
    expect(required.map((one) => one.name)).toEqual(['name', 'ref', 'time_of_day'])
  })

  it('has the value of a new record, and what the wire may leave out', () => {
    expect([field('integer')?.initial, field('flag')?.initial, field('name')?.initial]).toEqual([40, true, undefined])
    expect([field('multiline')?.omittable, field('name')?.omittable]).toEqual([true, false])
  })

  it('comes in schema order, the computed ones last, and those nobody can edit', () => {
    const names = describeFields(everyKind).map((one) => one.name)
    expect(names.slice(0, 3)).toEqual(['name', 'integer', 'decimal'])
    const computed = describeFields(everyKind).filter((one) => !one.editable)
    expect(computed.map((one) => one.name)).toEqual(['id', 'created_at', 'updated_at', 'computed_moment'])
    expect(names.slice(-4)).toEqual(computed.map((one) => one.name))
  })
})
