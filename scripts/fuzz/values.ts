import type { Random } from '../seed/random.ts'

export type Json = Record<string, unknown>

/** Texts that have broken programs before. */
const texts = [
  '',
  ' ',
  '0',
  '-1',
  'null',
  'true',
  '[]',
  '{}',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '\u0000',
  '\r\nx-injected: 1',
  '\ud800',
  '\u202e\u2028\ufeff',
  'ü漢字😀',
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "'; DROP TABLE user; --",
  '=cmd|/c calc',
  '../../../etc/passwd',
  '%00',
  '%s%n',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: this is what templates look like to those who forget to escape
  '${7*7}',
  '{{7*7}}',
  '*/1 * * * * *',
  '@every 1s',
  'CRON_TZ=Nowhere/City * * * * *',
  '9'.repeat(400),
  'a'.repeat(70_000),
  '(a+)+$'.repeat(50),
  'https://example.invalid/',
  'file:///etc/passwd',
  'http://[::1]:x/',
  '198.51.100.7',
  '::ffff:198.51.100.7',
  '2001:db8::1%eth0',
  '2026-02-30T25:61:61Z',
  '0001-01-01T00:00:00Z',
  '+292277026596-12-04T15:30:08Z',
] as const satisfies readonly [string, ...string[]]

const numbers = [
  0,
  -0,
  1,
  -1,
  2,
  99,
  255,
  256,
  65_535,
  65_536,
  2 ** 31,
  2 ** 32,
  2 ** 53,
  -(2 ** 53),
  0.5,
  1e308,
  5e-324,
]

export const strangeText = (random: Random): string => random.oneOf(texts)

/** Anything JSON can say, to a depth. */
export function strangeValue(random: Random, depth = 3): unknown {
  const few = () => Array.from({ length: random.whole(4) })
  switch (random.whole(depth > 0 ? 7 : 5)) {
    case 0:
      return strangeText(random)
    case 1:
      return numbers[random.whole(numbers.length)]
    case 2:
      return random.whole(2) === 0
    case 3:
      return null
    case 4:
      return random.whole(50)
    case 5:
      return few().map(() => strangeValue(random, depth - 1))
    default:
      return Object.fromEntries(few().map(() => [strangeText(random).slice(0, 40), strangeValue(random, depth - 1)]))
  }
}

/** A value that fits a JSON Schema, by the keywords that our descriptions use. */
export function fittingValue(random: Random, schema: Json): unknown {
  const variants = (schema.anyOf ?? schema.oneOf) as Json[] | undefined
  if (variants) return fittingValue(random, variants[random.whole(variants.length)] ?? {})
  if ('const' in schema) return schema.const
  if (Array.isArray(schema.enum)) return schema.enum[random.whole(schema.enum.length)]
  if (schema.choices) return Number(Object.keys(schema.choices)[random.whole(Object.keys(schema.choices).length)])
  switch (schema.type) {
    case 'object':
      return fittingObject(random, schema)
    case 'array':
      return Array.from({ length: random.whole(4) }, () => fittingValue(random, (schema.items as Json) ?? {}))
    case 'integer':
    case 'number':
      return wholeWithin(random, schema)
    case 'boolean':
      return random.whole(2) === 0
    case 'string':
      return fittingText(random, schema)
    case 'null':
      return null
    default:
      return strangeValue(random)
  }
}

function fittingObject(random: Random, schema: Json): Json {
  const required = new Set((schema.required as string[] | undefined) ?? [])
  const given = Object.entries((schema.properties as Record<string, Json> | undefined) ?? {}).filter(
    ([name]) => required.has(name) || random.whole(4) > 0,
  )
  return Object.fromEntries(given.map(([name, property]) => [name, fittingValue(random, property)]))
}

function wholeWithin(random: Random, { minimum = 0, maximum = 1000 }: { minimum?: number; maximum?: number }): number {
  const least = Math.max(minimum, -1000)
  return least + random.whole(Math.min(maximum, least + 60) - least + 1)
}

function fittingText(random: Random, { format, minLength = 0 }: Json): string {
  if (format === 'uri') return `https://example.invalid/${random.whole(1000)}`
  if (format === 'date-time') return '2026-01-02T03:04:05Z'
  return random.whole(4) === 0 ? strangeText(random) : 'name'.repeat(Number(minLength) || 1) + random.whole(1000)
}

/** A value with a part of it gone wrong: a member lost, added or of another type. */
export function spoiled(random: Random, value: unknown): unknown {
  if (Array.isArray(value)) return [...value, strangeValue(random)]
  if (typeof value !== 'object' || value === null) return strangeValue(random)
  const entries = Object.entries(value)
  const at = random.whole(entries.length || 1)
  const [name = strangeText(random)] = entries[at] ?? []
  switch (random.whole(3)) {
    case 0:
      return Object.fromEntries(entries.filter((_, index) => index !== at))
    case 1:
      return { ...value, [strangeText(random).slice(0, 40)]: strangeValue(random) }
    default:
      return { ...value, [name]: strangeValue(random) }
  }
}
