import { describe, expect, it } from 'vitest'
import { describeCron } from '../../../src/resources/cron/CronPreview.tsx'

describe('the description of a cron expression', () => {
  it.each([
    ['en-US', 'At 03:00, Monday through Friday'],
    ['it', 'Alle 03:00, lunedì al venerdì'],
    ['zh-CN', '在03:00, 星期一至星期五'],
    ['zh-TW', '在 03:00, 星期一 到 星期五'],
    ['de-DE', 'Um 03:00, Montag bis Freitag'],
    ['es', 'A las 03:00, de lunes a viernes'],
    ['fr', 'À 03:00, de lundi à vendredi'],
    ['id', 'Pada 03:00, Senin sampai Jumat'],
    ['ja', '次において実施03:00、月曜日 から 金曜日 まで'],
    ['ko', '03:00, 월요일부터 금요일까지'],
    ['pt-BR', 'Às 03:00, de segunda-feira a sexta-feira'],
    ['ro', 'La 03:00, de luni până vineri'],
    ['ru', 'В 03:00, с понедельника по пятницу'],
    ['ta', 'நேரம் 03:00, திங்கள் முதல் வெள்ளி வரை'],
    ['uk', "О 03:00, понеділок по п'ятниця"],
  ])('is translated into %s', async (locale, words) => {
    expect(await describeCron('0 0 3 * * MON-FRI', locale)).toBe(words)
  })

  it.each([
    ['0 */5 * * * *', '5 நிமிடங்களுக்கு ஒருமுறை'],
    ['0 30 4 1 * *', 'நேரம் 04:30, மாதத்தின் 1 தேதி'],
    ['0 15 9 ? * 2#1', 'நேரம் 09:15, முதல் செவ்வாய், மாதந்தோறும்'],
    ['0 0 8 1-5 JAN,MAR *', 'நேரம் 08:00, மாதத்தின் 1 முதல் 5 தேதி வரை, ஜனவரி மற்றும் மார்ச் மட்டும்'],
  ])('is in the Tamil of this console: %s', async (text, words) => {
    expect(await describeCron(text, 'ta')).toBe(words)
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
