import type { CheckKindName } from '../../../schemas/checks/checks.ts'
import { keysOf, type Values } from '../../../schemas/define/values.ts'

/** What a service begins with: fields of it, and those of its check that differ from what they are by themselves. */
interface Template {
  kind: CheckKindName
  check: Values
  /** Seconds between two checks. */
  duration: number
  retries: number
}

/** What people watch most, by the names of their texts. */
export const templates = {
  website: { kind: 'http', check: { codes: '200-299' }, duration: 60, retries: 1 },
  api: {
    kind: 'http',
    check: {
      auth: { kind: 'bearer', token: '' },
      codes: '200',
      answer_headers: { 'content-type': '' },
      json: [{ path: '$.status', op: '==', value: 'ok' }],
    },
    duration: 60,
    retries: 1,
  },
  mail: { kind: 'smtp', check: { capabilities: 'STARTTLS' }, duration: 300, retries: 2 },
  database: { kind: 'postgres', check: { query: 'SELECT 1' }, duration: 60, retries: 1 },
  certificate: { kind: 'tls', check: { days_left: 14 }, duration: 3600, retries: 1 },
  backup: { kind: 'push', check: { schedule: '0 30 3 * * *', grace: 3600 }, duration: 60, retries: 0 },
} as const satisfies Readonly<Record<string, Template>>

export const templateNames = keysOf(templates)
