import { describe, expect, it } from 'vitest'
import { fillPlural, fillText } from '../../../i18n/fillText.ts'
import { pluralForm, pluralForms } from '../../../i18n/plural.ts'

describe('a text with values', () => {
  it('has them in place, whatever is in them, and keeps a name that has none', () => {
    expect(fillText('%{server} %{rule} %{no}', { server: '%{rule} $& web', rule: 'CPU' })).toBe(
      '%{rule} $& web CPU %{no}',
    )
  })

  it('has the form for a number, which is written as in the language', () => {
    const text = '%{smart_count} Dienst seit %{time} |||| %{smart_count} Dienste seit %{time}'
    expect(fillPlural(text, 1, 'de-DE', { time: '14:02' })).toBe('1 Dienst seit 14:02')
    expect(fillPlural(text, 1234, 'de-DE', { time: '14:02' })).toBe('1.234 Dienste seit 14:02')
    expect(fillPlural('%{smart_count} 个服务', 1, 'zh-CN')).toBe('1 个服务')
  })
})

describe('the forms for numbers', () => {
  it.each([
    ['en-US', ['one', 'other']],
    ['it', ['one', 'other']],
    ['zh-TW', ['other']],
    ['pl', ['one', 'few', 'many']],
    ['ar', ['zero', 'one', 'two', 'few', 'many', 'other']],
  ])('of %s are %s', (locale, forms) => {
    expect(pluralForms(locale)).toEqual(forms)
  })

  it('are found for every number', () => {
    expect([0, 1, 2, 21, 1_000_000].map((count) => pluralForm('it', count))).toEqual([1, 0, 1, 1, 1])
    expect([0, 1, 2, 5, 22].map((count) => pluralForm('pl', count))).toEqual([2, 0, 1, 2, 1])
    expect(pluralForm('pl', 1.5)).toBe(2)
  })
})

describe('a name that is written from right to left', () => {
  it.each(['שרת-1', 'خادم 1', 'web \u202e1', 'web \u20671'])(
    'does not turn round the sentence that it is in: %s',
    (name) => {
      expect(fillText('%{name} and %{count} more', { name, count: 3 })).toBe(`\u2068${name}\u2069 and 3 more`)
      expect(fillPlural('%{smart_count} of %{name}', 2, 'en-US', { name })).toBe(`2 of \u2068${name}\u2069`)
    },
  )

  it('is the only one that is set apart: names of other writings, emojis and texts of several lines are as they are', () => {
    for (const name of ['веб-1', 'サーバー', '❤️ web', '🖥️', 'שרת\n2']) {
      expect(fillText('%{name} is down', { name })).toBe(`${name} is down`)
    }
    const apart = fillText('%{name}', { name: 'שרת' })
    expect(fillText('%{name}', { name: apart })).toBe(apart)
  })
})
