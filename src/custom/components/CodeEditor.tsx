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
import { codeEditorTexts } from './codeEditorTexts.ts'
import { type CodeLanguage, loadLanguage } from './codeLanguages.ts'

export interface CodeEditorProps {
  /** The text; only `\n` ends a line, so any other line ending in it is kept as a character. */
  value: string
  onChange?: (value: string) => void
  /** Left out: plain text. */
  language?: CodeLanguage
  readOnly?: boolean
  /** Its name for screen readers, translated. */
  label: string
  /** CSS; default: as high as the text, at most 60% of the window. */
  height?: string
  /** Whether Tab indents; Escape, then Tab leaves the field. Default: Tab leaves it. */
  tabIndents?: boolean
  /** Whether it takes the focus as it appears. */
  autoFocus?: boolean
}

/** A code field with line numbers, search (Ctrl-F) and colours. It is heavy: import it lazily. */
export default function CodeEditor(props: CodeEditorProps) {
  const { value, onChange, language, readOnly = false, label, height, tabIndents = false, autoFocus = false } = props
  const translate = useTranslate()
  const frame = useRef<HTMLDivElement>(null)
  const editor = useRef<EditorView>(undefined)
  const changed = useEvent((text: string) => onChange?.(text)) as (text: string) => void
  // What it is made with: later values come through the effects below.
  const made = useRef({ value, tabIndents, autoFocus, words: codeEditorTexts(translate) })
  const [locked, spoken] = useParts()

  useEffect(() => {
    const { value: doc, tabIndents: indents, autoFocus: takesFocus, words } = made.current
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
          locked.of([]),
          spoken.of([]),
        ],
      }),
    })
    editor.current = view
    if (takesFocus) view.focus()
    return () => {
      view.destroy()
      editor.current = undefined
    }
  }, [changed, locked, spoken])

  useEffect(() => {
    const attributes = EditorView.contentAttributes.of({ 'aria-label': label, 'aria-readonly': String(readOnly) })
    editor.current?.dispatch({ effects: locked.reconfigure([EditorState.readOnly.of(readOnly), attributes]) })
  }, [locked, readOnly, label])

  useEffect(() => {
    const view = editor.current
    if (!view || view.state.doc.toString() === value) return
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: view.state.toText(value) } })
  }, [value])

  useEffect(() => {
    let isWanted = true
    const speak = (extension: Parameters<typeof spoken.reconfigure>[0]) =>
      isWanted && editor.current?.dispatch({ effects: spoken.reconfigure(extension) })
    if (!language) speak([])
    else loadLanguage(language).then(speak, (error) => console.error('The colours of a language are missing.', error))
    return () => {
      isWanted = false
    }
  }, [spoken, language])

  return (
    <CodeEditorFrame
      ref={frame}
      data-height={height ? 'fixed' : 'free'}
      style={{ height }}
      // Where Escape is the first half of the way out, it must not close the dialog around.
      onKeyDown={(event) => tabIndents && event.key === 'Escape' && event.stopPropagation()}
    />
  )
}

/** The exchangeable parts of one editor: whether it is locked, and its language. */
function useParts(): readonly [Compartment, Compartment] {
  const parts = useRef<readonly [Compartment, Compartment]>(undefined)
  parts.current ??= [new Compartment(), new Compartment()]
  return parts.current
}
