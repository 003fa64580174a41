import type { ComponentType } from 'react'
import type { Row, Snapshot, SortState, SortValue, TextValue } from '../../records/queryRows.ts'
import type { EntityName } from '../../schemas/index.ts'

/** A cell without props: it reads its record from react-admin's record context. */
export type CellComponent = ComponentType<Record<string, never>>

/** A column of an exported file. */
export interface FileColumn<R = Row, Live = Snapshot> {
  /** Text key of its heading. Default: the heading of the column on screen. */
  heading?: string
  /** Stands in brackets behind the heading: a symbol that all languages share, such as `%`. */
  unit?: string
  text: TextValue<R, Live>
}

export interface ColumnOptions<R = Row, Live = Snapshot> {
  /** Draws the value. Left out, the field's kind draws it. */
  Cell?: CellComponent
  /** What the column sorts by, when it is not the value of its source. `false`: it does not sort. */
  sort?: SortValue<R, Live> | false
  /**
   * Where `sort` looks into what the page knows of this moment besides rows: `version` changes with the order, and the
   * rows are sorted anew. Values that change all the time belong into `needs`.
   */
  sortState?: SortState
  /** What the column shows beyond the value of its source: for the search and, without `file`, for exported files. */
  text?: TextValue<R, Live>
  /** What an exported file has in its place: a text, or several columns, or none. */
  file?: TextValue<R, Live> | readonly FileColumn<R, Live>[]
  /** What these functions need besides a row: what the definition calls `live`, or rows of other entities. */
  needs?: readonly ('live' | EntityName)[]
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

export interface Column<Source extends string = string, R = Row, Live = Snapshot> extends ColumnOptions<R, Live> {
  source: Source
  /** Whether the heading comes from `columns.<source>` instead of `fields.<source>`. */
  derived: boolean
}

/**
 * A column that draws a field, or a dotted source such as `host.version`, in its own way.
 *
 * @example
 * column('last_active', { Cell: LastSeen, sort: (row, { live }) => metricsAt(row, live).seenAt, needs: ['live'] })
 */
export const column = <const Source extends string, R = Row, Live = Snapshot>(
  source: Source,
  options: ColumnOptions<R, Live> = {},
): Column<Source, R, Live> => ({ source, derived: false, ...options })

/** A column that shows no field of its own: its heading is `columns.<key>`. */
export const derived = <R = Row, Live = Snapshot>(
  key: string,
  options: ColumnOptions<R, Live> & Required<Pick<ColumnOptions, 'Cell'>>,
): Column<never, R, Live> => ({ source: key as never, derived: true, ...options })
