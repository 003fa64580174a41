import type { TranslationMessages } from 'ra-core'

type Refusals = Readonly<Record<string, string>>

interface Pattern {
  words: RegExp
  names: readonly string[]
  text: string
}

/** Longer messages are lists of failures, or pages of a proxy. */
const maxLength = 500

/**
 * Translates what a server answered when it refused something: `refusals` of the texts has it by its English words.
 * @returns `undefined` for words that the texts do not know
 */
export function createRefusalText(texts: TranslationMessages): (message: string) => string | undefined {
  const refusals = (texts as unknown as { refusals?: Refusals }).refusals ?? {}
  let patterns: Pattern[] | undefined
  return (message) => {
    if (message.length > maxLength) return undefined
    if (Object.hasOwn(refusals, message)) return refusals[message]
    patterns ??= Object.entries(refusals).flatMap(([words, text]) => patternOf(words, text) ?? [])
    for (const { words, names, text } of patterns) {
      const values = words.exec(message)?.slice(1)
      if (values) return text.replace(placeholder, (_, name: string) => values[names.indexOf(name)] ?? '')
    }
    return undefined
  }
}

const placeholder = /%\{(\w+)\}/g

/** `undefined` for words without a placeholder, which are found as they are. */
function patternOf(words: string, text: string): Pattern | undefined {
  const parts = words.split(placeholder)
  if (parts.length === 1) return undefined
  const source = parts.map((part, index) => (index % 2 ? '(.+?)' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')))
  return { words: new RegExp(`^${source.join('')}$`), names: parts.filter((_, index) => index % 2), text }
}
