import type { alarm as english } from '../en-US/alarm.ts'
import type { SameShape } from '../types.ts'

/** The alarm history of the embedded server. */
export const alarm = {
  name: 'Alarm |||| Alarme',
  counted: '%{smart_count} Alarm |||| %{smart_count} Alarme',
  empty: 'Jedes Auslösen einer Alarmregel wird hier festgehalten: auf welchem Server, bei welchem Wert und wie lange.',
  fields: {
    id: 'ID',
    created_at: 'Zeit',
    updated_at: 'Zeit',
    rule_id: 'Regel-ID',
    rule_name: 'Regel',
    server_id: 'Server-ID',
    server_name: 'Server',
    causes: 'Ursache',
    started_at: 'Beginn',
    ended_at: 'Status',
    withdrawn: 'Zurückgezogen',
    notified: 'Gemeldet',
  },
  columns: { rule: 'Regel', duration: 'Dauer' },
} satisfies SameShape<typeof english>
