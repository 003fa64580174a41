import type { RaRecord } from 'react-admin'
import type { Values } from '../../schemas/define/values.ts'

/** What a note can use to decide, beside the form's values. */
export interface NoteContext {
  /** The records of the entity `related`; `undefined` until they are loaded. */
  related?: readonly RaRecord[]
  /** Whether the server announces this key of `wheelhouse`. */
  announced: (key: string) => boolean
}

/** A note that a form shows before it is saved: the text `notes.<key>`. It never prevents saving. */
export interface FormNote<V = Values> {
  note: string
  /** Warnings of a new record wait until something was entered. */
  severity: 'warning' | 'info'
  when(values: V, context: NoteContext): boolean
  /** The entity whose records `when` needs. */
  related?: string
}

/**
 * Warns of a record that would be of no use as it is.
 *
 * @example
 * warning('no_command', ({ command }) => !command)
 */
export const warning = <V>(
  key: string,
  when: FormNote<V>['when'],
  options: Pick<FormNote, 'related'> = {},
): FormNote<V> => ({
  note: key,
  severity: 'warning',
  when,
  ...options,
})

/** Says what follows from a choice. */
export const note = <V>(key: string, when: FormNote<V>['when']): FormNote<V> => ({ note: key, severity: 'info', when })
