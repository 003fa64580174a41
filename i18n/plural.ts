const order = ['zero', 'one', 'two', 'few', 'many', 'other'] as const

/** More than this many things are counted like some number below. */
const wholeNumbers = Array.from({ length: 201 }, (_, count) => count)

interface PluralRules {
  select: (count: number) => string
  forms: readonly string[]
}

const rulesByLocale = new Map<string, PluralRules>()

function rulesOf(locale: string): PluralRules {
  let rules = rulesByLocale.get(locale)
  if (!rules) {
    const intl = new Intl.PluralRules(locale)
    const select = (count: number) => intl.select(count)
    const found = new Set<string>(wholeNumbers.map(select))
    rules = { select, forms: order.filter((form) => found.has(form)) }
    rulesByLocale.set(locale, rules)
  }
  return rules
}

/** The forms that a language has for numbers of things, in the order in which a text has them: `['one', 'other']`. */
export const pluralForms = (locale: string): readonly string[] => rulesOf(locale).forms

/** Which of these forms a number takes, from 0. */
export function pluralForm(locale: string, count: number): number {
  const { select, forms } = rulesOf(locale)
  const form = forms.indexOf(select(count))
  return form < 0 ? forms.length - 1 : form
}
