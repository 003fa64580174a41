/** Texts of the code editor and of the file manager. */
export const files = {
  code: {
    find: 'Cerca',
    replace_with: 'Sostituisci con',
    next: 'Successivo',
    previous: 'Precedente',
    all: 'Tutti',
    match_case: 'Maiuscole/minuscole',
    regexp: 'Espressione regolare',
    by_word: 'Parola intera',
    replace: 'Sostituisci',
    replace_all: 'Sostituisci tutto',
    go_to_line: 'Vai alla riga',
    go: 'Vai',
    current_match: 'Corrispondenza attuale',
    on_line: 'alla riga',
    replaced_line: 'Sostituita la corrispondenza alla riga $',
    replaced_count: '$ corrispondenze sostituite',
    selection_deleted: 'Selezione eliminata',
    control_character: 'Carattere di controllo',
  },
}
