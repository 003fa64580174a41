import { describe, expect, it } from 'vitest'
import { changesBetween, initialValues, valuesOf } from '../../../src/resources/engine/form/formValues.ts'
import { sameValue } from '../../../src/schemas/define/sameValue.ts'
import { goodLamp, lamp } from '../../support/console/lamp.ts'

describe('A new form', () => {
  it('starts with the defaults of the schema, else with nothing of the right kind', () => {
    expect(initialValues(lamp)).toMatchObject({
      name: '',
      watts: 40,
      lit: true,
      socket: 0,
      room: 0,
      switches: [],
      dimmed_in: null,
      tags: [],
      note: '',
    })
  })

  it('shares no list with the next one', () => {
    const first = initialValues(lamp)
    ;(first.tags as string[]).push('old')
    expect(initialValues(lamp).tags).toEqual([])
  })
})

describe('A form of a record', () => {
  it('holds what the wire left out as nothing, and none of what only the server may say', () => {
    const values = valuesOf(lamp, { ...goodLamp, id: 7, bought_at: '2026-01-01T00:00:00Z', tags: null })
    expect(values).toMatchObject({ name: 'desk', tags: [], note: '' })
    expect(Object.keys(values)).toEqual(Object.keys(lamp.form.shape))
  })

  it('is unchanged while nothing has another meaning than before', () => {
    const before = valuesOf(lamp, { ...goodLamp, dimmed_in: { 1: true, 2: false } })
    expect(
      changesBetween(before, { ...before, watts: '40', note: undefined, dimmed_in: { 2: false, 1: true } }),
    ).toEqual({})
  })

  it('is changed by the fields that mean something else', () => {
    const before = valuesOf(lamp, goodLamp)
    expect(changesBetween(before, { ...before, watts: '4', lit: false, tags: ['a'] })).toEqual({
      watts: '4',
      lit: false,
      tags: ['a'],
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
