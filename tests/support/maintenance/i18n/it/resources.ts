import type { SameShape } from '../../../../../i18n/types.ts'
import type { resources as english } from '../en-US/resources.ts'

export const resources = {
  maintenance: {
    name: 'Finestra di manutenzione |||| Finestre di manutenzione',
    counted: '%{smart_count} finestra di manutenzione |||| %{smart_count} finestre di manutenzione',
    menu: 'Manutenzione',
    empty: 'Le finestre di manutenzione sono i periodi in cui si lavora sui server senza voler ricevere allarmi.',
    fields: {
      id: 'ID',
      name: 'Nome',
      servers: 'Server',
      repeat: 'Ripetizione',
      starts_at: 'Inizio',
      duration: 'Minuti',
      mute_alerts: 'Silenzia gli avvisi',
      note: 'Nota',
      last_started_at: 'Ultimo avvio',
      created_at: 'Creato il',
      updated_at: 'Aggiornato il',
    },
    choices: { repeat: { once: 'Una volta', daily: 'Ogni giorno', weekly: 'Ogni settimana' } },
    sections: { window: 'Quando' },
    actions: { start: { label: 'Avvia ora', confirm: 'Avviare %{what} ora?', done: 'Manutenzione avviata' } },
  },
} satisfies SameShape<typeof english>
