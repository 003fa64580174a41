import type { ComponentType } from 'react'
import type { RaRecord } from 'react-admin'
import type { z } from 'zod'
import type { Entity, FormField } from '../../schemas/define/entity.ts'
import type { Values } from '../../schemas/define/values.ts'
import type { InputProps } from '../kinds/parts/kind.tsx'
import { lazyPart } from '../parts/lazyPart.tsx'

type Input = ComponentType<InputProps & { source: string }>

export interface FieldItem<Source extends string = string> {
  source: Source
  /** Draws the input instead of the field's kind. */
  Input?: Input
  /** Takes the whole width where a form has two columns. */
  wide?: boolean
}

/**
 * A form field with an input of its own.
 *
 * @param load fetches the input with the first form that shows it: lists do without what forms need
 * @example
 * field('scheduler', () => import('./CronInput.tsx'))
 */
export const field = <const Source extends string>(
  source: Source,
  load: () => Promise<{ default: Input }>,
  options: Pick<FieldItem, 'wide'> = {},
): FieldItem<Source> => ({ source, Input: lazyPart<InputProps & { source: string }>(load), ...options })

/** What an input holds while somebody fills in a form: a number may be text still. */
type Entered<Value> = number extends Value ? Value | string : Value

/** The values of a form of this entity while somebody fills it in. */
export type FormValues<E extends Entity> = {
  readonly [Name in FormField<E>]?: Entered<z.input<E['form']['shape'][Name]>> | null
}

export interface Section<Source extends string = string, V = Values> {
  /** Its heading is `sections.<key>`. */
  section: string
  items: readonly (Source | FieldItem<Source>)[]
  /** Shown only while this is true of the form's values. */
  when?(values: V): boolean
  /** Starts folded, for fields that few people need. */
  folded?: boolean
}

/** A group of form fields under a heading. */
export const section = <const Source extends string, V = Values>(
  key: string,
  items: readonly (Source | FieldItem<Source>)[],
  options: Pick<Section<Source, V>, 'when' | 'folded'> = {},
): Section<Source, V> => ({ section: key, items, ...options })

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
