import { closeBrackets, closeBracketsKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { bracketMatching, indentOnInput, syntaxHighlighting } from '@codemirror/language'
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search'
import { Compartment, EditorState } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import { classHighlighter } from '@lezer/highlight'
import { useEffect, useRef } from 'react'
import { useEvent, useTranslate } from 'react-admin'
import { CodeEditorFrame } from './CodeEditorFrame.tsx'
import { type CodeLanguage, loadLanguage } from './codeLanguages.ts'
import type { Translate } from './format/format.ts'

export interface CodeEditorProps {
  /** The text. Only `\n` ends a line; other line endings are kept as characters. */
  value: string
  onChange?: (value: string) => void
  /** Default: plain text. */
  language?: CodeLanguage
  readOnly?: boolean
  /** Translated name for screen readers. */
  label: string
  /** CSS height; default: the height of the text, at most 60% of the window. */
  height?: string
  /** Whether Tab indents (Escape, then Tab leaves the field). Default: Tab leaves the field. */
  tabIndents?: boolean
  /** Whether it gets the focus on mount. */
  autoFocus?: boolean
}

/** A code editor with line numbers, search (Ctrl-F) and syntax colours. It is large: import it lazily. */
export default function CodeEditor(props: CodeEditorProps) {
  const { value, onChange, language, readOnly = false, label, height, tabIndents = false, autoFocus = false } = props
  const translate = useTranslate()
  const frame = useRef<HTMLDivElement>(null)
  const editor = useRef<EditorView>(undefined)
  const changed = useEvent((text: string) => onChange?.(text))
  // The values at creation: later ones are applied by the effects below.
  const initial = useRef({ value, tabIndents, autoFocus, words: codeEditorTexts(translate) })
  const [readOnlyPart, languagePart] = useCompartments()

  useEffect(() => {
    const { value: doc, tabIndents: indents, autoFocus: focuses, words } = initial.current
    const view = new EditorView({
      parent: frame.current ?? undefined,
      state: EditorState.create({
        doc,
        extensions: [
          EditorState.lineSeparator.of('\n'),
          EditorView.clipboardInputFilter.of((text) => text.replace(/\r\n?/g, '\n')),
          EditorState.phrases.of(words),
          lineNumbers(),
          history(),
          drawSelection(),
          highlightSpecialChars(),
          highlightActiveLine(),
          highlightSelectionMatches(),
          indentOnInput(),
          bracketMatching(),
          closeBrackets(),
          search({ top: true }),
          syntaxHighlighting(classHighlighter),
          keymap.of([
            ...closeBracketsKeymap,
            ...defaultKeymap,
            ...historyKeymap,
            ...searchKeymap,
            ...(indents ? [indentWithTab] : []),
          ]),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) changed(update.state.doc.toString())
          }),
          readOnlyPart.of([]),
          languagePart.of([]),
        ],
      }),
    })
    editor.current = view
    if (focuses) view.focus()
    return () => {
      view.destroy()
      editor.current = undefined
    }
  }, [changed, readOnlyPart, languagePart])

  useEffect(() => {
    const attributes = EditorView.contentAttributes.of({ 'aria-label': label, 'aria-readonly': String(readOnly) })
    editor.current?.dispatch({ effects: readOnlyPart.reconfigure([EditorState.readOnly.of(readOnly), attributes]) })
  }, [readOnlyPart, readOnly, label])

  useEffect(() => {
    const view = editor.current
    if (!view || view.state.doc.toString() === value) return
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: view.state.toText(value) } })
  }, [value])

  useEffect(() => {
    let isCurrent = true
    const setLanguage = (extension: Parameters<typeof languagePart.reconfigure>[0]) =>
      isCurrent && editor.current?.dispatch({ effects: languagePart.reconfigure(extension) })
    if (!language) setLanguage([])
    else
      loadLanguage(language).then(setLanguage, (error) =>
        console.error('A language of the code editor could not be loaded.', error),
      )
    return () => {
      isCurrent = false
    }
  }, [languagePart, language])

  return (
    <CodeEditorFrame
      ref={frame}
      data-height={height ? 'fixed' : 'free'}
      style={{ height }}
      // Escape, then Tab leaves the field: Escape must not close the dialog around it.
      onKeyDown={(event) => tabIndents && event.key === 'Escape' && event.stopPropagation()}
    />
  )
}

/** The parts of the editor's state that can be replaced: read-only mode and language. */
function useCompartments(): readonly [Compartment, Compartment] {
  const parts = useRef<readonly [Compartment, Compartment]>(undefined)
  parts.current ??= [new Compartment(), new Compartment()]
  return parts.current
}

/** CodeMirror's texts for search and screen readers, by its English phrases; CodeMirror fills in `$`. */
function codeEditorTexts(translate: Translate): Record<string, string> {
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
