import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../root.ts'

/** A word of the glossary of a language, and words that are never used for it. */
export interface Term {
  english: string
  word: string
  never: string[]
}

const chapterOf = (locale: string, title: string) => {
  const page = readFileSync(join(root, `i18n/${locale}/WORDS.md`), 'utf8')
  return page.split(`## ${title}\n`)[1]?.split('\n## ')[0]?.split('\n') ?? []
}

/** The table "Words" of a language's WORDS.md. */
export const glossaryOf = (locale: string): Term[] =>
  chapterOf(locale, 'Words')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) => {
      const [english = '', word = '', never = ''] = line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim())
      return { english, word, never: never.split(', ').filter(Boolean) }
    })

/** The list "As in English" of a language's WORDS.md: texts that are rightly the same in both. */
export const sameAsEnglish = (locale: string): string[] =>
  chapterOf(locale, 'As in English').flatMap((line) => (line.startsWith('- ') ? [line.slice(2)] : []))
