import { isolate } from './isolate.ts'
import { pluralForm } from './plural.ts'

/** What stands in a text in place of its `%{name}`. */
export type TextArgs = Readonly<Record<string, string | number | undefined>>

/** A text with its values in place of `%{name}`; a name without a value stays. For texts outside the translator. */
export const fillText = (text: string, values: TextArgs): string =>
  text.replace(/%\{(\w+)\}/g, (gap, name: string) => isolate(String(values[name] ?? gap)))

/** The form of a text for a number, with the number in place of `%{smart_count}`, and other values. */
export function fillPlural(text: string, count: number, locale: string, values: TextArgs = {}): string {
  const forms = text.split('||||')
  const form = forms[pluralForm(locale, count)] ?? text
  return fillText(form.trim(), { ...values, smart_count: new Intl.NumberFormat(locale).format(count) })
}
