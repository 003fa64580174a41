import type { ComponentType } from 'react'
import type { InputProps } from '../kinds/parts/kind.ts'

export interface FieldOptions {
  /** Draws the input instead of the field's kind. */
  Input?: ComponentType<InputProps & { source: string }>
  /** Takes the whole width where a form has two columns. */
  wide?: boolean
}

export interface FieldItem<Source extends string = string> extends FieldOptions {
  source: Source
}

/** A form field with options of its own. */
export const field = <const Source extends string>(source: Source, options: FieldOptions = {}): FieldItem<Source> => ({
  source,
  ...options,
})

export interface Section<Source extends string = string> {
  /** Its heading is `sections.<key>`. */
  section: string
  items: readonly (Source | FieldItem<Source>)[]
  /** Shown only while this is true of the form's values. */
  when?: (values: Record<string, unknown>) => boolean
  /** Starts folded, for fields that few people need. */
  folded?: boolean
}

/** A group of form fields under a heading. */
export const section = <const Source extends string>(
  key: string,
  items: readonly (Source | FieldItem<Source>)[],
  options: Pick<Section, 'when' | 'folded'> = {},
): Section<Source> => ({ section: key, items, ...options })
