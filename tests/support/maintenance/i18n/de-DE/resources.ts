import type { SameShape } from '../../../../../i18n/types.ts'
import type { resources as english } from '../en-US/resources.ts'

export const resources = {
  maintenance: {
    name: 'Wartungsfenster |||| Wartungsfenster',
    counted: '%{smart_count} Wartungsfenster |||| %{smart_count} Wartungsfenster',
    menu: 'Wartung',
    empty: 'Wartungsfenster sind Zeiten, in denen an Servern gearbeitet wird und sie keinen Alarm auslösen sollen.',
    fields: {
      id: 'ID',
      name: 'Name',
      servers: 'Server',
      repeat: 'Wiederholung',
      starts_at: 'Beginn',
      duration: 'Minuten',
      mute_alerts: 'Alarme stummschalten',
      note: 'Notiz',
      last_started_at: 'Letzter Start',
      created_at: 'Angelegt am',
      updated_at: 'Geändert am',
    },
    choices: { repeat: { once: 'Einmalig', daily: 'Täglich', weekly: 'Wöchentlich' } },
    sections: { window: 'Zeitraum' },
    actions: { start: { label: 'Jetzt starten', confirm: '%{what} jetzt starten?', done: 'Wartung gestartet' } },
  },
} satisfies SameShape<typeof english>
