/** A metric of an OpenMetrics text, as its heading says it. */
export interface Family {
  name: string
  type: 'gauge' | 'counter'
  unit: string
  help: string
  samples: ParsedSample[]
}

export interface ParsedSample {
  name: string
  labels: Record<string, string>
  value: number
}

const name = '[a-zA-Z_][a-zA-Z0-9_]*'
const escaped = String.raw`(?:[^"\\\n]|\\[\\"n])*`
const heading = new RegExp(`^# TYPE (${name}) (gauge|counter)\n(?:# UNIT (${name}) (${name})\n)?# HELP (${name}) (.+)$`)
const sampleLine = new RegExp(`^(${name})(?:\\{((?:${name}="${escaped}",?)+)\\})? (\\S+)$`)
const labelPair = new RegExp(`(${name})="(${escaped})"(,?)`, 'gy')
const number = /^-?(\d+(\.\d+)?(e[+-]?\d+)?|\.\d+)$/

/**
 * Reads the part of OpenMetrics 1.0 that gauges and counters without times and exemplars need, and nothing else: each
 * family with TYPE, UNIT where its name ends in one, and HELP, then its samples, and no family, label or sample twice.
 * @throws Error that says what is wrong, and where
 */
export function parseOpenMetrics(text: string): Family[] {
  if (!text.endsWith('\n# EOF\n')) throw new Error(`The end is ${JSON.stringify(text.slice(-20))}, not # EOF.`)
  const parts = text.slice(0, -'# EOF\n'.length).split(/^(?=# TYPE )/m)
  const families = parts.map(parseFamily)
  refuseTwice(
    families.map((family) => family.name),
    'family',
  )
  return families
}

function parseFamily(part: string): Family {
  const lines = part.replace(/\n$/, '').split('\n')
  const headingLines = lines[1]?.startsWith('# UNIT') ? 3 : 2
  const match = heading.exec(lines.slice(0, headingLines).join('\n'))
  if (!match) throw new Error(`Not a heading: ${lines.slice(0, headingLines).join(' | ')}`)
  const [, family = '', type, unitName = family, unit = '', helpName, help = ''] = match
  if (helpName !== family || unitName !== family) throw new Error(`The heading of ${family} is about several.`)
  if (unit !== '' && !family.endsWith(`_${unit}`)) throw new Error(`${family} does not end in its unit ${unit}.`)
  const samples = lines.slice(headingLines).map(parseSample)
  const expected = type === 'counter' ? `${family}_total` : family
  for (const sample of samples) {
    if (sample.name !== expected) throw new Error(`A sample of ${family} is called ${sample.name}.`)
    if (type === 'counter' && !(sample.value >= 0)) throw new Error(`The counter ${family} is ${sample.value}.`)
  }
  refuseTwice(
    samples.map(({ labels }) => JSON.stringify(Object.entries(labels).sort())),
    `sample of ${family}`,
  )
  return { name: family, type: type as Family['type'], unit, help: unescapeText(help), samples }
}

function parseSample(line: string): ParsedSample {
  const [, sample, pairs = '', value = ''] = sampleLine.exec(line) ?? []
  if (sample === undefined || !number.test(value)) throw new Error(`Not a sample: ${line}`)
  const matches = [...pairs.matchAll(labelPair)]
  if (matches.map(([pair]) => pair).join('') !== pairs || pairs.endsWith(',')) throw new Error(`Not labels: ${line}`)
  refuseTwice(
    matches.map(([, label = '']) => label),
    `label in ${line}`,
  )
  const labels = Object.fromEntries(matches.map(([, label, text = '']) => [label, unescapeText(text)]))
  return { name: sample, labels, value: Number(value) }
}

function refuseTwice(texts: readonly string[], what: string): void {
  const seen = new Set<string>()
  for (const text of texts) {
    if (seen.has(text)) throw new Error(`This ${what} is there twice: ${text}`)
    seen.add(text)
  }
}

const unescapeText = (text: string) =>
  text.replace(/\\(.)/g, (_, character: string) => (character === 'n' ? '\n' : character))
