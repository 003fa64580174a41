import type { audit as english } from '../en-US/audit.ts'
import type { SameShape } from '../types.ts'

/** The audit log of the embedded server. */
export const audit = {
  name: 'Audit-Protokoll |||| Audit-Protokoll',
  counted: '%{smart_count} Eintrag im Audit-Protokoll |||| %{smart_count} Einträge im Audit-Protokoll',
  empty:
    'Hier steht, wer was getan hat: Anmeldungen, Terminals, Dateien, Benutzer, Aufgaben, Einstellungen und andere Änderungen.',
  fields: {
    id: 'ID',
    created_at: 'Zeit',
    updated_at: 'Zeit',
    at: 'Zeit',
    action: 'Was',
    user_id: 'Benutzer-ID',
    username: 'Wer',
    address: 'IP',
    target: 'Woran',
    detail: 'Einzelheiten',
    unreadable: 'Unlesbare Zeile',
  },
  values: { unreadable: 'Unlesbare Zeile: %{text}' },
} satisfies SameShape<typeof english>
