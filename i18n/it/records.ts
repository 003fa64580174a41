/** Texts around single records: parts that have to be fetched, copies, what points at a record. */
export const records = {
  copy: {
    without: 'Crea senza «%{field}»',
  },
  part: {
    failed: 'Non è stato possibile caricare questa parte della console. Controlla la connessione e riprova.',
  },
}
