import type { Row } from '../entities/row.ts'

/** The first line of a notification about an alarm. @param address as notifications show it; '' for none */
export const alarmMessage = (label: 'Incident' | 'Resolved', server: Row, address: string, rule: string): string =>
  `[${label}] ${server.name}${address && `(${address})`} ${rule}`
