import { describe, expect, it } from 'vitest'
import {
  formatAge,
  formatBytes,
  formatDateTime,
  formatDuration,
  formatNumber,
  formatPercent,
  formatSpeeds,
  type Translate,
} from '../../../src/components/format/format.ts'
import { english, texts } from '../../support/console/texts.ts'

const speak =
  (flat = english): Translate =>
  (key, options = {}) =>
    (flat.get(key) ?? key).replace(/%\{(\w+)\}/g, (_, name) => String(options[name]))
const inEnglish = speak()
/** Some languages put no-break spaces; what matters here is where a space is. */
const plain = (text: string) => text.replace(/\s/g, ' ')

describe('bytes', () => {
  it.each([
    [0, '0 B'],
    [1023, '1,023 B'],
    [1024, '1 KiB'],
    [1_503_238_553, '1.4 GiB'],
    [25_276_502_016, '23.5 GiB'],
    [270_553_174_016, '252 GiB'],
    [5 * 1024 ** 4, '5 TiB'],
    [3000 * 1024 ** 5, '3,000 PiB'],
  ])('%d are %s', (bytes, text) => expect(formatBytes(bytes, 'en-US')).toBe(text))

  it('never say 1,024 of a unit that has a bigger one', () => {
    expect(formatBytes(1024 ** 2 - 1, 'en-US')).toBe('1 MiB')
  })

  it('are written as the language writes numbers', () => {
    expect(formatBytes(1_503_238_553, 'de-DE')).toBe('1,4 GiB')
  })
})

describe('speeds', () => {
  it('share the unit of the fastest', () => {
    expect(formatSpeeds([340 * 1024, 2 * 1024 ** 2], 'en-US')).toEqual(['0.3 MiB/s', '2.0 MiB/s'])
  })

  it('are in KiB/s even if they are small', () => {
    expect(formatSpeeds([0, 512], 'en-US')).toEqual(['0.0 KiB/s', '0.5 KiB/s'])
  })
})

describe('percent', () => {
  it('are whole, with a space where the language wants one', () => {
    expect(formatPercent(45.6, 'en-US')).toBe('46%')
    expect(plain(formatPercent(45.6, 'de-DE'))).toBe('46 %')
  })
})

it('numbers have at most two decimals', () => {
  expect(formatNumber(4.545, 'it')).toBe('4,55')
  expect(formatNumber(3, 'it')).toBe('3')
})

describe('durations', () => {
  it.each([
    [0, '0 s'],
    [59.9, '59 s'],
    [60, '1 min'],
    [125, '2 min 5 s'],
    [11_550, '3 h 12 min'],
    [10_800, '3 h'],
    [2 * 86_400 + 59, '2 d'],
    [400 * 86_400 + 3600, '400 d 1 h'],
    [-5, '0 s'],
  ])('%d seconds are %s', (seconds, text) => expect(formatDuration(seconds, inEnglish)).toBe(text))

  it('can be shown in their largest unit alone', () => {
    expect(formatDuration(11_550, inEnglish, 1)).toBe('3 h')
  })

  it('are in the user’s language', () => {
    expect(formatDuration(11_550, speak(texts['zh-CN']))).toBe('3 小时 12 分钟')
  })
})

describe('ages', () => {
  const now = Date.parse('2026-11-21T12:00:00Z')

  it.each([
    [0, 'just now'],
    [59_000, 'just now'],
    [61_000, '1 min ago'],
    [11_550_000, '3 h ago'],
  ])('%d ms ago is %s', (ms, text) => expect(formatAge(now - ms, now, inEnglish)).toBe(text))

  it('are never negative when a frame is a little ahead', () => {
    expect(formatAge(now + 5000, now, inEnglish)).toBe('just now')
  })
})

it('dates with time have hour, minute and second', () => {
  const at = new Date(2026, 10, 21, 9, 8, 7).getTime()
  expect(plain(formatDateTime(at, 'en-US'))).toBe('Nov 21, 2026, 9:08:07 AM')
  expect(plain(formatDateTime(at, 'de-DE'))).toBe('21.11.2026, 09:08:07')
})
