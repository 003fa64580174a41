import { describe, expect, it } from 'vitest'
import { changesBetween, initialValues, valuesOf } from '../../../src/engine/form/validate.ts'
import { sameValue } from '../../../src/schemas/define/values.ts'
import { everyKind, validValues } from '../../support/console/everyKind.ts'

describe('A new form', () => {
  it('starts with the defaults of the schema, else with the empty value of each kind', () => {
    expect(initialValues(everyKind)).toMatchObject({
      name: '',
      integer: 40,
      flag: true,
      choice: 0,
      ref: 0,
      refs: [],
      id_set: null,
      list: [],
      multiline: '',
    })
  })

  it('shares no array with the next one', () => {
    const first = initialValues(everyKind)
    ;(first.list as string[]).push('old')
    expect(initialValues(everyKind).list).toEqual([])
  })
})

describe('A form of a record', () => {
  it('has empty values for what the wire left out, and no computed fields', () => {
    const values = valuesOf(everyKind, { ...validValues, id: 7, computed_moment: '2026-01-01T00:00:00Z', list: null })
    expect(values).toMatchObject({ name: 'desk', list: [], multiline: '' })
    expect(Object.keys(values)).toEqual(Object.keys(everyKind.form.shape))
  })

  it('is unchanged while every value means the same as before', () => {
    const before = valuesOf(everyKind, { ...validValues, id_set: { 1: true, 2: false } })
    expect(
      changesBetween(before, { ...before, integer: '40', multiline: undefined, id_set: { 2: false, 1: true } }),
    ).toEqual({})
  })

  it('is changed by fields whose meaning differs', () => {
    const before = valuesOf(everyKind, validValues)
    expect(changesBetween(before, { ...before, integer: '4', flag: false, list: ['a'] })).toEqual({
      integer: '4',
      flag: false,
      list: ['a'],
    })
  })
})

describe('Two values', () => {
  it.each([
    [0, '', false],
    [0, ' ', false],
    [null, '', true],
    [undefined, null, true],
    [1, '1.0', true],
    ['1', 1, false],
    [false, '', false],
    [[1, 2], [2, 1], false],
    [[1], { 0: 1 }, false],
    [{ a: { b: 1 } }, { a: { b: 1 } }, true],
    [{ a: 1 }, { a: 1, b: undefined }, false],
  ])('%j and %j mean the same: %s', (a, b, same) => {
    expect(sameValue(a, b)).toBe(same)
  })
})
