import type { ddnsNames as english } from '../en-US/ddnsNames.ts'
import type { SameShape } from '../types.ts'

export const ddnsNames = {
  ddns: {
    title: 'Domains von %{what}',
    unused: 'Ohne Server',
    nothing_yet: 'Nichts gesendet',
    failed_of: 'Fehler: %{failed} von %{total}',
    how_to_use:
      'Kein Server verwendet dieses Profil. Einen Server bearbeiten, dort DDNS einschalten und dieses Profil wählen.',
    first_of: 'Die ersten %{shown} von %{total}, Fehler zuerst.',
    tries: '%{smart_count} Versuch |||| %{smart_count} Versuche',
    states: {
      done: 'Aktualisiert',
      failed: 'Fehlgeschlagen',
      waiting: 'Wird aktualisiert',
      no_address: 'Der Server hat keine solche Adresse, mit der der Anbieter etwas anfangen kann',
      offline: 'Wartet auf Daten des Servers',
    },
  },
} satisfies SameShape<typeof english>
