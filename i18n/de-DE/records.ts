/** Texts around single records: parts that have to be fetched, copies, what points at a record. */
export const records = {
  copy: {
    without: 'Ohne „%{field}“ anlegen',
  },
  part: {
    failed:
      'Dieser Teil der Konsole konnte nicht geladen werden. Prüfen Sie die Verbindung und versuchen Sie es erneut.',
  },
}
