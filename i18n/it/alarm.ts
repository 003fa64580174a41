import type { alarm as english } from '../en-US/alarm.ts'
import type { SameShape } from '../types.ts'

/** The alarm history of the embedded server. */
export const alarm = {
  name: 'Allarme |||| Allarmi',
  counted: '%{smart_count} allarme |||| %{smart_count} allarmi',
  empty:
    'Ogni volta che una regola di allarme scatta, viene annotato qui: su quale server, con quale valore e per quanto tempo.',
  fields: {
    id: 'ID',
    created_at: 'Ora',
    updated_at: 'Ora',
    rule_id: 'ID della regola',
    rule_name: 'Regola',
    server_id: 'ID del server',
    server_name: 'Server',
    causes: 'Causa',
    started_at: 'Inizio',
    ended_at: 'Stato',
    withdrawn: 'Ritirato',
    notified: 'Notificato',
  },
  columns: { rule: 'Regola', duration: 'Durata' },
} satisfies SameShape<typeof english>
