import { takeTurns } from '../concurrency/takeTurns.ts'

/** One value of a metric: its labels, as `labelText` writes them, and the number. */
export type Sample = readonly [labels: string, value: number]

/**
 * A metric, as OpenMetrics calls a family: a name and its samples. The name ends in the unit, where there is one, and
 * that of a counter in `_total`. Units are base units: seconds, bytes, ratio (0 to 1), celsius.
 */
export interface Metric {
  name: string
  type: 'gauge' | 'counter'
  /** A sentence without a dot at its end. */
  help: string
  /** Called once for each scrape. No two samples may have the same labels. */
  samples: () => Iterable<Sample>
}

/** Prometheus asks for OpenMetrics; older collectors and `promtool check metrics` read the text format before it. */
export type Format = 'openmetrics' | 'text'

export const contentTypes: Record<Format, string> = {
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
  text: 'text/plain; version=0.0.4; charset=utf-8',
}

/** @param accept the header of the request: OpenMetrics unless it asks for other texts only */
export const formatFor = (accept = ''): Format =>
  accept.includes('application/openmetrics-text') || !accept.includes('text/') ? 'openmetrics' : 'text'

/** Characters of a chunk, about a millisecond of work. */
const chunkLength = 64 * 1024
const units = ['seconds', 'bytes', 'ratio', 'celsius']

/** Writes metrics chunk by chunk. Others get their turn between two chunks. */
export async function* writeMetrics(metrics: Iterable<Metric>, format: Format): AsyncGenerator<string> {
  const turn = takeTurns()
  let chunk = ''
  for (const metric of metrics) {
    chunk += heading(metric, format)
    for (const [labels, value] of metric.samples()) {
      chunk += `${metric.name}${labels} ${numberText(value)}\n`
      if (chunk.length < chunkLength) continue
      yield chunk
      chunk = ''
      await turn()
    }
  }
  yield format === 'openmetrics' ? `${chunk}# EOF\n` : chunk
}

function heading({ name, type, help }: Metric, format: Format): string {
  // In OpenMetrics the name of a counter is that of its sample without `_total`.
  const family = format === 'openmetrics' && type === 'counter' ? name.replace(/_total$/, '') : name
  const unit = format === 'openmetrics' ? units.find((unit) => family.endsWith(`_${unit}`)) : undefined
  return `# TYPE ${family} ${type}\n${unit ? `# UNIT ${family} ${unit}\n` : ''}# HELP ${family} ${escapeText(help)}\n`
}

function numberText(value: number): string {
  if (Number.isFinite(value)) return String(value)
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'
}

/**
 * Labels as a sample has them.
 * @example labelText({ id: 1, name: 'web "1"' }) // '{id="1",name="web \\"1\\""}'
 */
export function labelText(labels: Readonly<Record<string, string | number>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeText(String(value))}"`)
  return `{${pairs.join(',')}}`
}

/** Labels with one more behind them. */
export const withLabel = (labels: string, name: string, value: string | number): string =>
  `${labels.slice(0, -1)},${name}="${escapeText(String(value))}"}`

/** Line feeds, quotes and backslashes; lone surrogates would be no UTF-8. */
const escapeText = (text: string) =>
  text.toWellFormed().replace(/[\\\n"]/g, (character) => (character === '\n' ? '\\n' : `\\${character}`))
