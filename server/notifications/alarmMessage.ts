import type { ServerRow } from '../entities/row.ts'
import type { Messages } from '../site/messages.ts'

interface AlarmMessage {
  key: 'alarm_began' | 'alarm_ended'
  server: ServerRow
  /** As notifications show it; '' for none. */
  address: string
  /** The name of the rule. */
  rule: string
}

/** The first line of a notification about an alarm. */
export const alarmMessage = (messages: Messages, { key, server, address, rule }: AlarmMessage): string =>
  messages(key, { server: `${server.name}${address && `(${address})`}`, rule })
