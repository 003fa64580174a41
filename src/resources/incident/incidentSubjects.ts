import type { TimeMark } from '../../components/charts/plot/timeMarks.ts'
import { metricsOfAlarm, type RecordedMetric } from '../../domain/alerts/recordedMetrics.ts'
import type { Row } from '../../records/queryRows.ts'
import type { alertRule } from '../../schemas/alertRule.ts'
import type { IncidentPart } from './columns.tsx'

/** A server or a service that an incident is about. */
export interface IncidentSubject {
  kind: 'server' | 'service'
  id: number
  /** Its name on that day. */
  name: string
  /** What to show of a server. */
  metrics: readonly RecordedMetric[]
  /** What went wrong with it, in the charts. */
  marks: readonly TimeMark[]
}

type Rule = Pick<Row<typeof alertRule>, 'id' | 'rules'>

/** Every machine reports it: it shows when one was offline. */
const anyMetric = ['cpu'] as const

const withoutChart: readonly IncidentPart['kind'][] = ['certificate', 'ddns', 'quota', 'contract']

/**
 * What an incident is about, causes first. Of a server, the metrics of the rules that raised alarms there. A
 * certificate or contract that ends has no chart, nor has a name that leads elsewhere.
 */
export function incidentSubjects(parts: readonly IncidentPart[], rules: readonly Rule[]): IncidentSubject[] {
  const typesOf = new Map(rules.map(({ id, rules }) => [Number(id), (rules ?? []).map(({ type }) => String(type))]))
  const subjects = new Map<string, IncidentSubject>()
  const ordered = parts.toSorted((one, other) => Number(one.role !== 'cause') - Number(other.role !== 'cause'))
  for (const part of ordered) {
    if (withoutChart.includes(part.kind)) continue
    const kind = part.service_id > 0 ? 'service' : 'server'
    const id = part.service_id > 0 ? part.service_id : part.server_id
    if (id <= 0) continue
    const about = part.kind === 'alarm' ? metricsOfAlarm(typesOf.get(part.rule_id) ?? []) : undefined
    const mark: TimeMark = {
      kind: part.kind === 'alarm' ? 'alarm' : 'outage',
      from: Date.parse(part.started_at),
      to: part.ended_at ? Date.parse(part.ended_at) : Number.MAX_SAFE_INTEGER,
      text: part.name,
      about,
    }
    const known = subjects.get(`${kind} ${id}`) ?? { kind, id, name: part.name, metrics: [], marks: [] }
    const metrics = kind === 'server' ? [...new Set([...known.metrics, ...(about ?? anyMetric)])] : []
    subjects.set(`${kind} ${id}`, { ...known, metrics, marks: [...known.marks, mark] })
  }
  return [...subjects.values()]
}
