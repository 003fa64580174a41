import type { RaRecord } from 'react-admin'

/** What a note of a form may look at beside the form's values. */
export interface NoteContext {
  /** The records of the entity `related`; `undefined` until they are loaded. */
  related?: readonly RaRecord[]
  /** Whether the server announces this key of `wheelhouse`. */
  announced: (key: string) => boolean
}

/** What a form says before it is saved, in the text `notes.<key>`. It never keeps anybody from saving. */
export interface FormNote {
  note: string
  /** Warnings of a new record wait until something was entered. */
  severity: 'warning' | 'info'
  when: (values: Readonly<Record<string, unknown>>, context: NoteContext) => boolean
  /** The entity whose records `when` needs. */
  related?: string
}

/**
 * Warns of a record that would be of no use as it is.
 *
 * @example
 * warning('no_command', ({ command }) => !command)
 */
export const warning = (key: string, when: FormNote['when'], options: Pick<FormNote, 'related'> = {}): FormNote => ({
  note: key,
  severity: 'warning',
  when,
  ...options,
})

/** Says what follows from a choice. */
export const note = (key: string, when: FormNote['when']): FormNote => ({ note: key, severity: 'info', when })
