import { describe, expect, it } from 'vitest'
import { locales } from '../../i18n/locales.ts'
import { signInTextsOf, texts } from '../support/console/texts.ts'
import { glossaryOf } from '../support/console/words.ts'

const translations = locales.map(({ locale }) => locale).filter((locale) => locale !== 'en-US')

describe.each(translations)('the words of %s', (locale) => {
  const all = [...texts[locale], ...signInTextsOf(locale)]

  it('are those of the other languages', () => {
    expect(glossaryOf(locale).map(({ english }) => english)).toEqual(glossaryOf('de-DE').map(({ english }) => english))
  })

  it.each(glossaryOf(locale))('has one word for "$english", and no other', ({ word, never }) => {
    expect(word).not.toBe('')
    expect(never.length).toBeGreaterThan(0)
    const lowerWord = word.toLowerCase()
    expect(
      all.some(([, text]) => text.toLowerCase().includes(lowerWord)),
      word,
    ).toBe(true)
    const found = all.filter(([, text]) => never.some((other) => isIn(text, other)))
    expect(found).toEqual([])
  })
})

/** Scripts that have no spaces between words, or whose words take endings without one. */
const joined = /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{Script=Tamil}/u

/** Words are looked for as whole words where the script has spaces between them. */
function isIn(text: string, word: string): boolean {
  if (joined.test(word)) return text.includes(word)
  return new RegExp(`(?<!\\p{L})${word}(?!\\p{L})`, 'iu').test(text)
}
