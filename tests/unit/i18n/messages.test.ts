import { describe, expect, it } from 'vitest'
import { locales } from '../../../i18n/locales.ts'
import { type MessageKey, messageText, messageTexts } from '../../../i18n/messages.ts'

const keys = Object.keys(messageTexts) as MessageKey[]
const placeholders = (text: string) => [...text.matchAll(/%\{(\w+)\}/g)].map(([, name]) => name).sort()

describe('The messages of the server', () => {
  it.each(keys)('%s has the same values in every language, and words of its own', (key) => {
    const { en, ...others } = messageTexts[key]
    for (const text of Object.values(others)) {
      expect(placeholders(text)).toEqual(placeholders(en))
      expect(text).not.toBe(en)
    }
  })

  it('put values in place, whatever is in them', () => {
    const values = { server: '%{rule} $& web', rule: 'CPU' }
    for (const { locale } of locales) expect(messageText(locale, 'alarm_began', values)).toContain('%{rule} $& web CPU')
    expect(messageText('de-DE', 'window_ended', { window: 'Umbau' })).toBe('[Wartung] Umbau ist beendet')
  })
})
