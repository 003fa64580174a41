import { describe, expect, it } from 'vitest'
import {
  dayOf,
  noExpiry,
  onDay,
  readNote,
  withNoteValue,
} from '../../../src/resources/server/publicNote/publicNoteValues.ts'

const full = {
  billingDataMod: { startDate: '2026-01-01T00:00:00+08:00', endDate: noExpiry, amount: '5 €', own: 1 },
  planDataMod: { IPv4: '1' },
  beyond: { deep: [1] },
}

describe('a public note', () => {
  it.each([
    ['plain words', 'Paid until May'],
    ['JSON of another shape', '{"foo":1}'],
    ['a list', '[]'],
    ['a value that is no text', '{"billingDataMod":{"amount":5}}'],
    ['a part that is no object', '{"planDataMod":"all"}'],
    ['half of it', '{"billingDataMod":{'],
  ])('is no form when it holds %s', (_, text) => {
    expect(readNote(text)).toBeUndefined()
  })

  it('keeps everything else when one value changes, unknown keys and the order included', () => {
    const note = readNote(JSON.stringify(full)) ?? {}
    expect(withNoteValue(note, 'billingDataMod', 'amount', '6 €')).toBe(
      JSON.stringify({ ...full, billingDataMod: { ...full.billingDataMod, amount: '6 €' } }),
    )
    expect(JSON.parse(withNoteValue(note, 'planDataMod', 'IPv4', ''))).toEqual({
      billingDataMod: full.billingDataMod,
      beyond: full.beyond,
    })
  })

  it('without any value is no text at all', () => {
    expect(withNoteValue({}, 'planDataMod', 'extra', '')).toBe('')
    expect(withNoteValue({ planDataMod: { extra: 'x' } }, 'planDataMod', 'extra', '')).toBe('')
    expect(withNoteValue({}, 'planDataMod', 'extra', 'x')).toBe('{"planDataMod":{"extra":"x"}}')
  })

  it('moves to another day without losing its time and zone', () => {
    expect(onDay('2026-01-31T12:30:00.5Z', '2027-02-01')).toBe('2027-02-01T12:30:00.5Z')
    expect(onDay('', '2027-02-01')).toBe('2027-02-01T00:00:00+08:00')
    expect(onDay('2026-01-31T12:30:00Z', '')).toBe('')
    expect(dayOf(noExpiry)).toBe('')
    expect(dayOf('soon')).toBe('')
  })
})
