import { expect, it, vi } from 'vitest'
import { isTimeZone, zoneOffset } from '../../../src/domain/cron/timeZone.ts'

it('zones in thousands of spellings are not all remembered', () => {
  const made = vi.spyOn(Intl, 'DateTimeFormat')
  const spellings = Array.from({ length: 2000 }, (_, number) =>
    [...'europe/amsterdam'].map((letter, at) => ((number >> (at % 11)) & 1 ? letter.toUpperCase() : letter)).join(''),
  )
  expect(zoneOffset('Europe/Rome', 0)).toBe(3_600_000)
  expect(spellings.filter(isTimeZone)).toEqual([])
  made.mockClear()
  expect(zoneOffset('Europe/Rome', 0)).toBe(3_600_000)
  expect(made).toHaveBeenCalledTimes(1)
  zoneOffset('Europe/Rome', 1)
  expect(made).toHaveBeenCalledTimes(1)
})
