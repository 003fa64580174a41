const steps = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/** `12 days`, `3 hr`: the largest whole unit. */
export function formatLength(seconds: number, locale: string): string {
  const [unit, size] = steps.find(([, length]) => seconds >= length) ?? steps[2]
  const unitDisplay = unit === 'day' ? 'long' : 'short'
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay }).format(Math.floor(seconds / size))
}
