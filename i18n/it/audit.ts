import type { audit as english } from '../en-US/audit.ts'
import type { SameShape } from '../types.ts'

/** The audit log of the embedded server. */
export const audit = {
  name: 'Registro attività |||| Registro attività',
  counted: '%{smart_count} voce del registro attività |||| %{smart_count} voci del registro attività',
  empty:
    'Qui viene annotato ciò che è stato fatto: accessi, terminali, file, utenti, attività pianificate, impostazioni e altre modifiche.',
  fields: {
    id: 'ID',
    created_at: 'Data e ora',
    updated_at: 'Data e ora',
    at: 'Data e ora',
    action: 'Azione',
    user_id: 'ID utente',
    username: 'Chi',
    address: 'IP',
    target: 'Su cosa',
    detail: 'Dettagli',
    unreadable: 'Riga illeggibile',
  },
  values: { unreadable: 'Riga illeggibile: %{text}' },
} satisfies SameShape<typeof english>
