import type { ddnsNames as english } from '../en-US/ddnsNames.ts'
import type { SameShape } from '../types.ts'

export const ddnsNames = {
  ddns: {
    title: 'Domini di %{what}',
    unused: 'Nessun server lo usa',
    nothing_yet: 'Nulla inviato',
    failed_of: 'Errori: %{failed} su %{total}',
    how_to_use: 'Nessun server usa questo profilo. Modifica un server, attiva lì il DDNS e scegli questo profilo.',
    first_of: 'I primi %{shown} di %{total}, prima quelli non riusciti.',
    tries: '%{smart_count} tentativo |||| %{smart_count} tentativi',
    states: {
      done: 'Aggiornato',
      failed: 'Non riuscito',
      waiting: 'Aggiornamento in corso',
      no_address: 'Il server non ha un indirizzo di questo tipo utilizzabile dal provider',
      offline: 'In attesa dei dati del server',
    },
  },
} satisfies SameShape<typeof english>
