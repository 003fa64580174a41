/** Texts around single records: parts that have to be fetched, copies, what points at a record. */
export const records = {
  copy: {
    without: 'Crea senza «%{field}»',
  },
  usage: {
    settings: 'Impostazioni',
    setting_fields: {
      ip_change_notification_group_id: 'gruppo di notifica per i cambi di indirizzo',
      ignored_ip_notification: 'server indicati per i cambi di indirizzo',
    },
  },
  part: {
    failed: 'Non è stato possibile caricare questa parte della console. Controlla la connessione e riprova.',
  },
}
