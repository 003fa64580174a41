import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type FieldError, initialValues, validate } from '../../../src/engine/form/validate.ts'
import {
  describeFields,
  emptyValue,
  type FieldDescription,
  isEmptyInput,
} from '../../../src/schemas/define/describe.ts'
import { defineEntity } from '../../../src/schemas/define/entity.ts'
import { ref, refOrNone, refs } from '../../../src/schemas/define/fields.ts'
import { entities } from '../../../src/schemas/index.ts'
import { siteSetting } from '../../../src/schemas/settings/siteSetting.ts'
import { everyKind, validValues } from '../../support/console/everyKind.ts'
import { english } from '../../support/console/texts.ts'

const all = Object.keys(everyKind.form.shape)
const errorsOf = (change: Record<string, unknown>, touched = all) =>
  validate(everyKind, { ...validValues, ...change }, touched).errors ?? {}
const valuesOf = (change: Record<string, unknown>, touched = all) =>
  validate(everyKind, { ...validValues, ...change }, touched).values

/** Whether "nothing" is a value like others: 0, false, the first choice. */
const isAnswer = ({ kind }: FieldDescription) =>
  !isEmptyInput(kind, emptyValue(kind)) && !Array.isArray(emptyValue(kind))

describe('A form', () => {
  it.each<[string, Record<string, unknown>, string, FieldError]>([
    ['an empty name', { name: '  ' }, 'name', { message: 'validation.required' }],
    ['a missing reference', { ref: undefined }, 'ref', { message: 'validation.required' }],
    ['an empty time', { time_of_day: '' }, 'time_of_day', { message: 'validation.required' }],
    ['no time', { time_of_day: 'soon' }, 'time_of_day', { message: 'validation.invalid' }],
    ['too small a number', { integer: '4' }, 'integer', { message: 'validation.min_value', args: { min: 5 } }],
    ['too large a number', { integer: 101 }, 'integer', { message: 'validation.max_value', args: { max: 100 } }],
    ['a fraction where a whole number is meant', { integer: '7.5' }, 'integer', { message: 'validation.integer' }],
    ['words for a number', { integer: 'many' }, 'integer', { message: 'validation.number' }],
    ['a number beyond all counting', { integer: '1e300' }, 'integer', { message: 'validation.number' }],
    ['too short a text', { short_text: 'a' }, 'short_text', { message: 'validation.min_length', args: { min: 2 } }],
    ['too long a text', { short_text: 'abcdef' }, 'short_text', { message: 'validation.max_length', args: { max: 5 } }],
    ['no web address', { url: 'javascript:alert(1)' }, 'url', { message: 'validation.url' }],
    ['a code that is not listed', { choice: 7 }, 'choice', { message: 'validation.choice' }],
    ['a date without a time', { moment: 'incomplete' }, 'moment', { message: 'validation.moment' }],
    ['a day that no month has', { moment: '2026-02-30T08:00:00Z' }, 'moment', { message: 'validation.moment' }],
    ['text that is no JSON', { json: '[' }, 'json', { message: 'validation.json' }],
  ])('reports the error of %s', (_, change, field, error) => {
    const errors = errorsOf(change)
    expect(Object.keys(errors)).toEqual([field])
    expect(errors[field]?.message).toBe(error.message)
    if (error.args) expect(errors[field]?.args).toEqual(error.args)
    expect(english.has(error.message)).toBe(true)
  })

  it('says “Required” of whatever must be chosen or entered and is not, on every screen', () => {
    const several = defineEntity({
      name: 'several',
      form: z.object({ servers: refs('server').min(1), hosts: z.array(z.string()).min(2) }),
    })
    for (const entity of [...Object.values(entities), siteSetting, everyKind, several]) {
      const required = describeFields(entity).filter((field) => field.editable && field.required && !isAnswer(field))
      const empty = Object.fromEntries(required.map(({ name, kind }) => [name, emptyValue(kind)]))
      const { errors = {} } = validate(entity, { ...initialValues(entity), ...empty }, Object.keys(empty))
      const messages = required.map(({ name }) => [entity.name, name, errors[name]?.message])
      expect(messages).toEqual(required.map(({ name }) => [entity.name, name, 'validation.required']))
    }
    expect(validate(several, { servers: [1], hosts: ['a'] }, ['hosts']).errors?.hosts).toEqual({
      message: 'validation.min_entries',
      args: { min: 2 },
    })
  })

  it('reports JSON text whose value does not fit as invalid', () => {
    expect(errorsOf({ json: '{"a":1}' }).json?.message).toMatch(/^validation\.(json|invalid)$/)
  })

  it('reports all invalid fields at once', () => {
    expect(Object.keys(errorsOf({ name: '', integer: 1, time_of_day: '' })).sort()).toEqual([
      'integer',
      'name',
      'time_of_day',
    ])
  })

  it('reads what inputs hold: numbers from text, values from JSON, names without blanks around them', () => {
    expect(valuesOf({ name: ' desk ', integer: ' 60 ', json: '["red"]', refs: [3, 1, 3] })).toMatchObject({
      name: 'desk',
      integer: 60,
      json: ['red'],
      refs: [1, 3],
    })
  })

  it('reads a cleared number as its default, and keeps cleared text empty', () => {
    expect(valuesOf({ integer: '', multiline: ' ', url: '' })).toMatchObject({ integer: 40, multiline: '', url: '' })
  })

  it('reads a cleared time as absent, and keeps every byte of one that was not cleared', () => {
    const moment = '2026-01-31T10:30:15.123456789+02:00'
    expect(valuesOf({ moment: '' })).toMatchObject({ moment: undefined })
    expect(valuesOf({ moment })).toMatchObject({ moment })
  })

  it('saves an empty input as the first of these that the schema takes: nothing of its kind, absent, null', () => {
    const entity = defineEntity({
      name: 'empty-inputs',
      form: z.object({
        group: refOrNone('server-group'),
        optional_server: ref('server').optional(),
        nullable_text: z.string().min(1).nullable(),
        default_text: z.string().min(1).default('a'),
        nullable_count: z.int().nullable(),
        servers: refs('server'),
      }),
    })
    const empty = {
      group: 0,
      optional_server: 0,
      nullable_text: ' ',
      default_text: '',
      nullable_count: '',
      servers: [],
    }
    expect(validate(entity, empty, Object.keys(empty)).values).toEqual({
      group: 0,
      optional_server: undefined,
      nullable_text: null,
      default_text: 'a',
      nullable_count: null,
      servers: [],
    })
    expect(describeFields(entity).filter(({ editable, required }) => editable && required)).toEqual([])
  })

  it('requires a reference to be chosen', () => {
    expect(errorsOf({ ref: 0 })).toEqual({ ref: { message: 'validation.required' } })
  })

  it('accepts a choice whose value is zero', () => {
    expect(valuesOf({ choice: 0 })).toMatchObject({ choice: 0 })
  })

  it('accepts an unchanged value that today would be refused, and validates it once it is changed', () => {
    expect(valuesOf({ short_text: 'much too long', multiline: 'new' }, ['multiline'])).toEqual({ multiline: 'new' })
    expect(errorsOf({ short_text: 'much too long', multiline: 'new' }, ['multiline', 'short_text'])).toHaveProperty(
      'short_text',
    )
  })
})
