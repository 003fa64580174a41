const powers: Readonly<Record<string, number>> = { '': 0, K: 1, M: 2, G: 3, T: 4, P: 5 }

/** Characters of a text that can be a figure: a pattern takes seconds for thousands of blanks. */
const maxFigure = 100

/** A text without the blanks around it; '' for one that is too long to be a figure. */
export function asFigure(text: string): string {
  const trimmed = text.trim()
  return trimmed.length <= maxFigure ? trimmed : ''
}

/** The bytes of `1.5 TiB` or `500 GB`, as it is written: GB in thousands, GiB in 1024. `undefined` for another text. */
export function readBytes(text: string): number | undefined {
  const [, digits, prefix = '', binary] = /^(\d+(?:[.,]\d+)?)\s*([KMGTP]?)(i)?B?$/i.exec(asFigure(text)) ?? []
  if (digits === undefined) return undefined
  const bytes = Math.round(
    Number(digits.replace(',', '.')) * (binary ? 1024 : 1000) ** (powers[prefix.toUpperCase()] ?? 0),
  )
  return Number.isSafeInteger(bytes) ? bytes : undefined
}
