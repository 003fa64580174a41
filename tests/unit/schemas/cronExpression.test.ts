import { describe, expect, it } from 'vitest'
import { CronError, parseCron } from '../../../src/domain/cron/cronExpression.ts'
import { english } from '../../support/console/texts.ts'

const accepted = [
  '*/5 * * * * *',
  '0,30 * * * * *',
  '0 0-30/10 8-18 * * MON-FRI',
  '0 0 0 1 JAN,FEB *',
  '0 0 12 ? * 1',
  '0 0 0 * * 0',
  '0 0 0 * * 6',
  '0 0 0 * * sun',
  '@every 1m',
  '@every 500ms',
  '@every 1h30m',
  '@hourly',
  '@daily',
  '@weekly',
  '@monthly',
  '@yearly',
  '@annually',
  '@midnight',
  'CRON_TZ=Asia/Tokyo 0 0 6 * * *',
  'TZ=UTC 0 0 6 * * *',
  'TZ=Europe/Berlin @daily',
  '0  0 0 * *  1',
  ' 0 0 0 * * 1 ',
  '5/15 * * * * *',
  '*/7 * * * * *',
]

const refused: readonly (readonly [string, string])[] = [
  ['', 'empty spec string'],
  ['* * * * *', 'expected exactly 6 fields, found 5: [* * * * *]'],
  ['0 0 0 1 1 * 2030', 'expected exactly 6 fields, found 7: [0 0 0 1 1 * 2030]'],
  ['abc', 'expected exactly 6 fields, found 1: [abc]'],
  ['   ', 'expected exactly 6 fields, found 0: []'],
  ['TZ=UTC', 'expected exactly 6 fields, found 0: []'],
  ['@reboot', 'unrecognized descriptor: @reboot'],
  ['@every', 'unrecognized descriptor: @every'],
  ['@every 1', 'failed to parse duration @every 1: time: missing unit in duration "1"'],
  ['@every 1x', 'failed to parse duration @every 1x: time: unknown unit "x" in duration "1x"'],
  ['@every x', 'failed to parse duration @every x: time: invalid duration "x"'],
  ['0 0 0 L * *', 'failed to parse int from L: strconv.Atoi: parsing "L": invalid syntax'],
  ['0 0 0 * * 5#3', 'failed to parse int from 5#3: strconv.Atoi: parsing "5#3": invalid syntax'],
  ['0 0 0 * * MON-', 'failed to parse int from : strconv.Atoi: parsing "": invalid syntax'],
  ['60 * * * * *', 'end of range (60) above maximum (59): 60'],
  ['0 0 0 * * 7', 'end of range (7) above maximum (6): 7'],
  ['0 0 0 0 * *', 'beginning of range (0) below minimum (1): 0'],
  ['30-10 * * * * *', 'beginning of range (30) beyond end of range (10): 30-10'],
  ['*/0 * * * * *', 'step of range should be a positive number: */0'],
  ['1-2-3 * * * * *', 'too many hyphens: 1-2-3'],
  ['1/2/3 * * * * *', 'too many slashes: 1/2/3'],
  ['CRON_TZ=No/Where 0 0 6 * * *', 'provided bad location No/Where: unknown time zone No/Where'],
  ['TZ=asia/tokyo 0 0 6 * * *', 'provided bad location asia/tokyo: unknown time zone asia/tokyo'],
  ['TZ=+02:00 0 0 6 * * *', 'provided bad location +02:00: unknown time zone +02:00'],
]

describe('a cron expression', () => {
  it.each(accepted)('is accepted as real servers accept it: %j', (expression) => {
    expect(parseCron(expression)).toBeDefined()
  })

  it.each(refused)('is refused as real servers refuse it, in their words: %j', (expression, words) => {
    expect(refusalOf(expression).message).toBe(words)
  })

  it.each(refused)('is refused with a text for people: %j', (expression) => {
    const error = refusalOf(expression)
    const text = english.get(error.key) ?? ''
    const asked = [...text.matchAll(/%\{(\w+)\}/g)].map(([, argument]) => argument as string)
    expect(text).not.toBe('')
    expect(asked.filter((argument) => !(argument in error.args))).toEqual([])
  })

  it('reads lists, ranges, names and steps', () => {
    expect(parseCron('0 0-30/10 8-10 1,15 * MON-FRI')).toMatchObject({
      second: { values: [0] },
      minute: { values: [0, 10, 20, 30] },
      hour: { values: [8, 9, 10] },
      dayOfMonth: { values: [1, 15], isWildcard: false },
      month: { isWildcard: true },
      dayOfWeek: { values: [1, 2, 3, 4, 5] },
    })
  })

  it('begins a step without an end at its number', () => {
    expect(parseCron('5/20 * * * * *')).toMatchObject({ second: { values: [5, 25, 45] } })
  })

  it('writes a descriptor out', () => {
    expect(parseCron('CRON_TZ=Asia/Tokyo @weekly')).toMatchObject({ text: '0 0 0 * * 0', zone: 'Asia/Tokyo' })
  })

  it('counts lengths of time in seconds, at least one', () => {
    expect(parseCron('@every 1h30m')).toEqual({ kind: 'every', seconds: 5400 })
    expect(parseCron('@every 1.5m')).toEqual({ kind: 'every', seconds: 90 })
    expect(parseCron('@every 500ms')).toEqual({ kind: 'every', seconds: 1 })
    expect(parseCron('@every -5m')).toEqual({ kind: 'every', seconds: 1 })
  })
})

function refusalOf(expression: string): CronError {
  try {
    parseCron(expression)
  } catch (error) {
    if (error instanceof CronError) return error
  }
  throw new Error(`${expression} is accepted`)
}
