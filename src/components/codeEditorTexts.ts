import type { Translate } from './format/format.ts'

/** CodeMirror's texts for search and screen readers, by its English phrases; CodeMirror fills in `$`. */
export function codeEditorTexts(translate: Translate): Record<string, string> {
  return {
    Find: translate('app.code.find'),
    Replace: translate('app.code.replace_with'),
    next: translate('app.code.next'),
    previous: translate('app.code.previous'),
    all: translate('app.code.all'),
    'match case': translate('app.code.match_case'),
    regexp: translate('app.code.regexp'),
    'by word': translate('app.code.by_word'),
    replace: translate('app.code.replace'),
    'replace all': translate('app.code.replace_all'),
    close: translate('app.action.close'),
    'Go to line': translate('app.code.go_to_line'),
    go: translate('app.code.go'),
    'current match': translate('app.code.current_match'),
    'on line': translate('app.code.on_line'),
    'replaced match on line $': translate('app.code.replaced_line'),
    'replaced $ matches': translate('app.code.replaced_count'),
    'Selection deleted': translate('app.code.selection_deleted'),
    'Control character': translate('app.code.control_character'),
  }
}
