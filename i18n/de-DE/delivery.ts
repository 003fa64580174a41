import type { delivery as english } from '../en-US/delivery.ts'
import type { SameShape } from '../types.ts'

/** The delivery history of the embedded server. */
export const delivery = {
  name: 'Zustellung |||| Zustellungen',
  counted: '%{smart_count} Zustellung |||| %{smart_count} Zustellungen',
  empty: 'Hier steht, wie jede Meldung bei jedem Kanal ankam.',
  fields: {
    id: 'ID',
    created_at: 'Zeit',
    updated_at: 'Zeit',
    at: 'Zeit',
    notification_id: 'Kanal-ID',
    notification_name: 'Kanal',
    notification_group_id: 'Gruppen-ID',
    notification_group_name: 'Gruppe',
    message: 'Meldung',
    state: 'Ergebnis',
    code: 'Status',
    reply: 'Antwort',
    tries: 'Versuche',
    duration: 'Dauer (ms)',
    count: 'Meldungen',
  },
  choices: {
    state: { sent: 'Zugestellt', failed: 'Fehlgeschlagen', dropped: 'Verworfen', stopped: 'Abgebrochen' },
  },
} satisfies SameShape<typeof english>
