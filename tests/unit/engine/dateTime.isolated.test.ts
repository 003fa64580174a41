import { beforeAll, describe, expect, it } from 'vitest'
import { editedTime, fromLocalText, toLocalText, zoneText } from '../../../src/engine/kinds/moment/dateTime.ts'
import { timeOf } from '../../../src/schemas/formats/time.ts'

function setZone(zone: string): void {
  process.env.TZ = zone
}

describe('A point in time on the clock of Berlin', () => {
  beforeAll(() => setZone('Europe/Berlin'))

  it.each([
    ['2026-01-31T08:30:00Z', '2026-01-31T09:30'],
    ['2026-07-31T08:30:15Z', '2026-07-31T10:30:15'],
    ['2026-01-31T09:30:00+01:00', '2026-01-31T09:30'],
    ['2026-01-31T23:30:59.123456789-05:00', '2026-02-01T05:30:59'],
    ['0999-06-01T12:00:00Z', '0999-06-01T12:53:28'],
    ['', ''],
    [undefined, ''],
    [null, ''],
    ['0001-01-01T00:00:00Z', ''],
    ['soon', ''],
  ])('%s is shown as %s', (value, text) => {
    expect(toLocalText(value)).toBe(text)
  })

  it.each([
    ['2026-01-31T09:30', '2026-01-31T08:30:00Z'],
    ['2026-01-31T09:30:00', '2026-01-31T08:30:00Z'],
    ['2026-07-31T10:30:15', '2026-07-31T08:30:15Z'],
    ['2026-07-31T10:30:15.5', '2026-07-31T08:30:15.500Z'],
    ['incomplete', 'incomplete'],
  ])('%s is written as %s', (text, value) => {
    expect(fromLocalText(text)).toBe(value)
  })

  it('comes back as it was typed at every hour of a year', () => {
    for (let at = Date.UTC(2026, 0, 1); at < Date.UTC(2027, 0, 1); at += 3_600_000) {
      const value = new Date(at).toISOString().replace('.000Z', 'Z')
      const text = toLocalText(value)
      expect(fromLocalText(text, value), text).toBe(value)
    }
  })

  it('that clocks skip in spring is an hour later', () => {
    expect(fromLocalText('2026-03-29T02:30')).toBe('2026-03-29T01:30:00Z')
    expect(toLocalText('2026-03-29T01:30:00Z')).toBe('2026-03-29T03:30')
  })

  it('that clocks show twice in autumn stays on the side of the earlier value', () => {
    const [summer, winter] = ['2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z']
    expect([toLocalText(summer), toLocalText(winter)]).toEqual(['2026-10-25T02:30', '2026-10-25T02:30'])
    expect(fromLocalText('2026-10-25T02:45', summer)).toBe('2026-10-25T00:45:00Z')
    expect(fromLocalText('2026-10-25T02:45', winter)).toBe('2026-10-25T01:45:00Z')
    expect(fromLocalText('2026-10-26T02:45', summer)).toBe('2026-10-26T01:45:00Z')
    expect(fromLocalText('2026-10-25T02:45')).toBe('2026-10-25T00:45:00Z')
  })

  it('names its zone and the offset of that day', () => {
    expect(zoneText('2026-01-31T08:30:00Z')).toBe('Europe/Berlin, UTC+1')
    expect(zoneText('2026-07-31T08:30:00Z')).toBe('Europe/Berlin, UTC+2')
    expect(zoneText('')).toBe('Europe/Berlin')
  })
})

describe('The zone of a point in time', () => {
  it.each([
    ['America/St_Johns', 'America/St_Johns, UTC-3:30'],
    ['Asia/Kolkata', 'Asia/Calcutta, UTC+5:30'],
    ['Europe/London', 'Europe/London, UTC'],
    ['UTC', 'UTC'],
  ])('in %s reads %s', (zone, text) => {
    setZone(zone)
    expect(zoneText('2026-01-31T08:30:00Z')).toBe(text)
  })
})

describe('An edited time', () => {
  const opened = '2026-01-31T10:30:15.123456789+02:00'

  it('is the value that was opened, byte for byte, once it means the same second again', () => {
    setZone('Europe/Berlin')
    expect(editedTime('2026-01-31T09:30:16', opened, opened)).toBe('2026-01-31T08:30:16Z')
    expect(editedTime('2026-01-31T09:30:15', opened, '2026-01-31T08:30:16Z')).toBe(opened)
  })

  it('is empty once it is cleared, and stays "never" where it was never set', () => {
    expect(editedTime('', opened, opened)).toBe('')
    expect(editedTime('', '0001-01-01T00:00:00Z', opened)).toBe('0001-01-01T00:00:00Z')
    expect(editedTime('', null, opened)).toBe(null)
  })
})

describe('Times', () => {
  it('compare by the point in time, to less than a microsecond, whatever offset they are written in', () => {
    const inOrder = [
      '2026-01-31T10:00:00+02:00',
      '2026-01-31T08:00:00.0000014Z',
      '2026-01-31T08:00:00.000002Z',
      '2026-01-31T08:00:00.001Z',
      '2026-01-31T05:00:01-03:00',
    ].map((value) => timeOf(value) as number)
    expect(inOrder).toEqual([...new Set(inOrder)].sort((a, b) => a - b))
    expect(timeOf('2026-01-31T10:00:00+02:00')).toBe(timeOf('2026-01-31T08:00:00.000Z'))
  })

  it('that name no time have no place among them', () => {
    for (const value of ['', null, undefined, '0001-01-01T00:00:00Z', 'soon']) expect(timeOf(value)).toBeUndefined()
  })
})
