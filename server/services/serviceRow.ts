import { roles } from '../../src/schemas/define/access.ts'
import type { monitorTypes } from '../../src/schemas/service.ts'
import type { Row } from '../entities/row.ts'
import type { Check } from '../machines/hosts/probe.ts'

/** A service as it is kept. */
export interface ServiceRow extends Row {
  name: string
  type: number
  target: string
  /** Seconds. */
  duration: number
  display_index: number
  notify: boolean | null
  notification_group_id: number
  cover: number
  enable_trigger_task: boolean | null
  hide_for_guest: boolean | null
  fail_trigger_tasks: number[] | null
  recover_trigger_tasks: number[] | null
  /** Milliseconds; 0 is no bound. */
  min_latency: number
  max_latency: number
  latency_notify: boolean | null
  skip_servers: Record<string, boolean> | null
}

/** What a machine is asked. Nothing for a type that only another version knows. */
export function checkOf({ type, target }: ServiceRow): Check | undefined {
  const types: Readonly<Record<number, Check['type'] | undefined>> = {
    1: 'http',
    2: 'icmp',
    3: 'tcp',
  } satisfies Record<keyof typeof monitorTypes, Check['type']>
  const known = types[type]
  return known && { type: known, target }
}

/** Whether a server checks a service: one of those that are named, or that are not, and one that its owner may use. */
export function isCovered(service: ServiceRow, server: Row, roleOf: (id: number) => number | undefined): boolean {
  const isNamed = service.skip_servers?.[server.id] === true
  if (service.cover === 0 ? isNamed : !isNamed) return false
  return server.user_id === service.user_id || roleOf(service.user_id) === roles.admin
}
