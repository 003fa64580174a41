import type { ComponentType } from 'react'
import type { SortValue, TextValue } from '../../records/queryRows.ts'

/** A cell without props: it reads its record from react-admin's record context. */
export type CellComponent = ComponentType<Record<string, never>>

export interface ColumnOptions {
  /** What the column sorts by, when it is not the value of its source. `false`: it does not sort. */
  sortValue?: SortValue | false
  /** What the column shows beyond the value of its source: for the search and, without `file`, for exported files. */
  text?: TextValue
  /** Entities whose rows `sortValue` and `text` look into. */
  related?: readonly string[]
  /** `end` for numbers. */
  align?: 'start' | 'end'
  /** Starting width in pixels; columns without one share what is left. */
  width?: number
  /**
   * Whether it is hidden until a person shows it. `unlessChosen`: not for people who chose columns when this one was
   * shown to everybody (releases up to 0.1.0).
   */
  hidden?: 'always' | 'unlessChosen'
  /** Options of the column, at the end of the list's menu while the column is shown. */
  Options?: CellComponent
  /** The heading is read by screen readers only: for a column of icons. */
  hideHeading?: boolean
  /** Only servers that announce this key of `wheelhouse` have it. */
  announced?: string
}

export interface Column<Source extends string = string> extends ColumnOptions {
  source: Source
  /** Draws the value. Left out, the field's kind draws it. */
  Cell?: CellComponent
  /** Whether the heading comes from `columns.<source>` instead of `fields.<source>`. */
  derived: boolean
}

/** A column that draws a field, or a dotted source such as `host.version`, in its own way. */
export const column = <const Source extends string>(
  source: Source,
  Cell?: CellComponent,
  options: ColumnOptions = {},
): Column<Source> => ({ source, Cell, derived: false, ...options })

/** A column that shows no field of its own: its heading is `columns.<key>`. */
export const derived = (key: string, Cell: CellComponent, options: ColumnOptions = {}): Column<never> => ({
  source: key as never,
  Cell,
  derived: true,
  ...options,
})

/** A column of an exported file. */
export interface FileColumn {
  /** Text key of its heading. Default: the heading of the column on screen. */
  heading?: string
  /** Stands in brackets behind the heading: a symbol that all languages share, such as `%`. */
  unit?: string
  text: TextValue
}

/**
 * What an exported file has in place of a column of the screen, by the column's source: several columns, none, or one
 * with a text or a unit of its own. They are loaded with the first export.
 */
export type FileColumns = Readonly<Record<string, readonly FileColumn[]>>
