/** Units that a quota is shown in, where it is a whole number of them: the largest first. */
const units = [
  [1e12, 'TB'],
  [1024 ** 4, 'TiB'],
  [1e9, 'GB'],
  [1024 ** 3, 'GiB'],
  [1e6, 'MB'],
  [1024 ** 2, 'MiB'],
] as const

/** A number of bytes as a person types it: `1.5 TB`, with at most three decimals; empty for 0. */
export function quotaText(value: unknown): string {
  if (typeof value !== 'number') return String(value ?? '')
  if (value === 0) return ''
  const unit = units.find(([bytes]) => value >= bytes && Number.isInteger((value / bytes) * 1000))
  return unit ? `${value / unit[0]} ${unit[1]}` : `${value} B`
}

const names = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'] as const

/**
 * Bytes in thousands, as providers count them: `931.3 GB`. Beside a quota that was typed in units of 1024, in these.
 * @param quota the bytes of the quota that they are compared with
 */
export function bytesText(bytes: number, locale: string, quota = 0): string {
  const isBinary = quotaText(quota).endsWith('iB')
  const base = isBinary ? 1024 : 1000
  let power = 0
  while (power < names.length - 1 && Math.round(bytes / base ** power) >= base) power += 1
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: power === 0 ? 0 : 1 })
  const name = names[power] ?? ''
  return `${number.format(bytes / base ** power)} ${isBinary && power > 0 ? name.replace('B', 'iB') : name}`
}
