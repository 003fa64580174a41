/** Texts of the code editor and of the file manager. */
export const files = {
  code: {
    find: 'Suchen',
    replace_with: 'Ersetzen durch',
    next: 'Nächster',
    previous: 'Vorheriger',
    all: 'Alle',
    match_case: 'Groß-/Kleinschreibung',
    regexp: 'Regulärer Ausdruck',
    by_word: 'Ganzes Wort',
    replace: 'Ersetzen',
    replace_all: 'Alle ersetzen',
    go_to_line: 'Zu Zeile springen',
    go: 'Springen',
    current_match: 'Aktueller Treffer',
    on_line: 'in Zeile',
    replaced_line: 'Treffer in Zeile $ ersetzt',
    replaced_count: '$ Treffer ersetzt',
    selection_deleted: 'Auswahl gelöscht',
    control_character: 'Steuerzeichen',
  },
}
