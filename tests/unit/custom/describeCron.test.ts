import { describe, expect, it } from 'vitest'
import { describeCron } from '../../../src/resources/cron/describeCron.ts'

describe('the description of a cron expression', () => {
  it.each([
    ['en-US', 'At 03:00, Monday through Friday'],
    ['it', 'Alle 03:00, lunedì al venerdì'],
    ['zh-CN', '在03:00, 星期一至星期五'],
    ['zh-TW', '在 03:00, 星期一 到 星期五'],
    ['de-DE', 'Um 03:00, Montag bis Freitag'],
  ])('is translated into %s', async (locale, words) => {
    expect(await describeCron('0 0 3 * * MON-FRI', locale)).toBe(words)
  })

  it.each([
    ['? * * * * *', 'Every second'],
    ['0 0 12 ? * 1', 'At 12:00, only on Monday'],
    ['+5 * * * * *', 'At 5 seconds past the minute'],
    ['*-5 * * * * *', 'Every second'],
  ])('supports the spellings that servers accept: %s', async (text, words) => {
    expect(await describeCron(text, 'en-US')).toBe(words)
  })
})
