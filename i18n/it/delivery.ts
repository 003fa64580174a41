import type { delivery as english } from '../en-US/delivery.ts'
import type { SameShape } from '../types.ts'

/** The delivery history of the embedded server. */
export const delivery = {
  name: 'Recapito |||| Recapiti',
  counted: '%{smart_count} recapito |||| %{smart_count} recapiti',
  empty: 'Qui viene annotato l’esito di ogni notifica su ogni canale.',
  fields: {
    id: 'ID',
    created_at: 'Data e ora',
    updated_at: 'Data e ora',
    at: 'Data e ora',
    notification_id: 'ID canale',
    notification_name: 'Canale',
    notification_group_id: 'ID gruppo',
    notification_group_name: 'Gruppo',
    message: 'Messaggio',
    state: 'Esito',
    code: 'Stato',
    reply: 'Risposta',
    tries: 'Tentativi',
    duration: 'Durata (ms)',
    count: 'Notifiche',
  },
  choices: {
    state: { sent: 'Inviata', failed: 'Non riuscita', dropped: 'Scartata', stopped: 'Interrotta' },
  },
} satisfies SameShape<typeof english>
