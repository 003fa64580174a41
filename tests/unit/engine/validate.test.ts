import { describe, expect, it } from 'vitest'
import { type FieldError, validate } from '../../../src/resources/engine/form/validate.ts'
import { goodLamp, lamp } from '../../support/console/lamp.ts'
import { english } from '../../support/console/texts.ts'

const all = Object.keys(lamp.form.shape)
const errorsOf = (change: Record<string, unknown>, touched = all) =>
  validate(lamp, { ...goodLamp, ...change }, touched).errors ?? {}
const valuesOf = (change: Record<string, unknown>, touched = all) =>
  validate(lamp, { ...goodLamp, ...change }, touched).values

describe('A form', () => {
  it.each<[string, Record<string, unknown>, string, FieldError]>([
    ['an empty name', { name: '  ' }, 'name', { message: 'validation.required' }],
    ['a missing reference', { room: undefined }, 'room', { message: 'validation.required' }],
    ['an empty time', { on_at: '' }, 'on_at', { message: 'validation.required' }],
    ['no time', { on_at: 'soon' }, 'on_at', { message: 'validation.invalid' }],
    ['too small a number', { watts: '4' }, 'watts', { message: 'validation.min_value', args: { min: 5 } }],
    ['too large a number', { watts: 101 }, 'watts', { message: 'validation.max_value', args: { max: 100 } }],
    ['half a watt', { watts: '7.5' }, 'watts', { message: 'validation.integer' }],
    ['words for a number', { watts: 'many' }, 'watts', { message: 'validation.number' }],
    ['a number beyond all counting', { watts: '1e300' }, 'watts', { message: 'validation.number' }],
    ['too short a text', { label: 'a' }, 'label', { message: 'validation.min_length', args: { min: 2 } }],
    ['too long a text', { label: 'abcdef' }, 'label', { message: 'validation.max_length', args: { max: 5 } }],
    ['no web address', { manual: 'javascript:alert(1)' }, 'manual', { message: 'validation.url' }],
    ['a code that is not listed', { socket: 7 }, 'socket', { message: 'validation.choice' }],
    ['text that is no JSON', { colours: '[' }, 'colours', { message: 'validation.json' }],
  ])('says what is wrong with %s', (_, change, field, error) => {
    const errors = errorsOf(change)
    expect(Object.keys(errors)).toEqual([field])
    expect(errors[field]?.message).toBe(error.message)
    if (error.args) expect(errors[field]?.args).toEqual(error.args)
    expect(english.has(error.message)).toBe(true)
  })

  it('tells of JSON text whose value does not fit that it is not valid', () => {
    expect(errorsOf({ colours: '{"a":1}' }).colours?.message).toMatch(/^validation\.(json|invalid)$/)
  })

  it('finds all wrong fields at once', () => {
    expect(Object.keys(errorsOf({ name: '', watts: 1, on_at: '' })).sort()).toEqual(['name', 'on_at', 'watts'])
  })

  it('reads what inputs hold: numbers from text, values from JSON, names without blanks around them', () => {
    expect(valuesOf({ name: ' desk ', watts: ' 60 ', colours: '["red"]', switches: [3, 1, 3] })).toMatchObject({
      name: 'desk',
      watts: 60,
      colours: ['red'],
      switches: [1, 3],
    })
  })

  it('takes a cleared number for its default, and keeps cleared text as cleared', () => {
    expect(valuesOf({ watts: '', note: ' ', manual: '' })).toMatchObject({ watts: 40, note: '', manual: '' })
  })

  it('takes a choice of zero for what it is', () => {
    expect(valuesOf({ socket: 0 })).toMatchObject({ socket: 0 })
  })

  it('lets an untouched value stay that today would be refused, and judges it once it is touched', () => {
    expect(valuesOf({ label: 'much too long', note: 'new' }, ['note'])).toEqual({ note: 'new' })
    expect(errorsOf({ label: 'much too long', note: 'new' }, ['note', 'label'])).toHaveProperty('label')
  })
})
