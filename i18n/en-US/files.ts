/** Texts of the code editor and of the file manager. */
export const files = {
  code: {
    find: 'Find',
    replace_with: 'Replace with',
    next: 'Next',
    previous: 'Previous',
    all: 'All',
    match_case: 'Match case',
    regexp: 'Regular expression',
    by_word: 'Whole word',
    replace: 'Replace',
    replace_all: 'Replace all',
    go_to_line: 'Go to line',
    go: 'Go',
    current_match: 'Current match',
    on_line: 'on line',
    replaced_line: 'Replaced the match on line $',
    replaced_count: 'Replaced $ matches',
    selection_deleted: 'Selection deleted',
    control_character: 'Control character',
  },
}
