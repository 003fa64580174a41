import type { QueryClient } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import type { Language, Matches, Row, Snapshot, SortState, SortValue, TextValue } from '../../records/queryRows.ts'
import type { Entity, FieldName, FormField } from '../../schemas/define/entity.ts'
import type { EntityName } from '../../schemas/index.ts'
import type { BulkAction, CurrentUser, DeleteDialog, RowAction } from './action.ts'
import type { FieldItem, FormNote, FormValues, Section } from './form.ts'

/** Where what is live may come from. */
export interface LiveSources {
  queryClient: QueryClient
  dataProvider: ConsoleDataProvider
}

/** A hand-made page about one record, opened in a new browser tab; not offered for read-only records. */
export interface RecordPage {
  /** First part of its address; the record's id follows: `terminal` is `/dashboard/terminal/5`. */
  path: string
  /** The label of links to it; `%{name}` is the record. */
  labelKey: string
  Icon: ComponentType
}

/** Groups that hold the ids of their members: their entity, and their field with the ids. */
export interface MemberOf {
  entity: EntityName
  members: string
}

/** A record on a narrow screen, in three lines. The names are sources of columns. */
export interface Card {
  /** At the end of the first line, after the record's name: its state. */
  beside: readonly string[]
  /** Below the first line, for a record that has something to say: what is wrong with it. */
  Note?: CellComponent
  /** The second line, each with its heading: meters. */
  metrics: readonly string[]
  /** The third line, before the actions. */
  below: readonly string[]
}

export interface ResourceOptions<E extends Entity, Live> {
  /** The list's columns, in order. A field name, or `column(...)` and `derived(...)` for a cell of its own. */
  columns: readonly (FieldName<E> | Column<FieldName<E> | `${FieldName<E>}.${string}`, Row<E>, Live>)[]
  /** What a narrow screen shows of a record. Default: every column as a line with its heading. */
  card?: Card
  /** Fields by which the list can be filtered, and filters of their own. A list that the server pages: those of `api.filters`. */
  filters?: readonly (FieldName<E> | Filter<Row<E>, Live>)[]
  /**
   * What columns and filters that need `live` are given beyond the records, as it is now: live metrics. Asked for also
   * when somebody points at a heading that sorts by it, so it must come from memory when asked twice within a second.
   */
  live?: (sources: LiveSources) => Promise<Live>
  /** The form's fields, in order. Default: every form field in schema order. */
  form?: readonly (FormField<E> | FieldItem<FormField<E>> | Section<FormField<E>, FormValues<E>>)[]
  /** Notes that the form shows before it is saved. */
  notes?: readonly FormNote<FormValues<E>>[]
  /** Buttons of a row. Default: what `api.verbs` allows. */
  rowActions?: readonly RowAction<Row<E>>[]
  /** Buttons for the selected rows, beside Edit. Default: what `api.verbs` allows. */
  bulkActions?: readonly Exclude<BulkAction<Row<E>>, 'edit'>[]
  /** Asks before a deletion, and deletes, in place of the usual question; where the server announces that key. */
  deleteDialog?: DeleteDialog
  /** Whether this person must not delete a record; the text `protected` says why. */
  isProtected?(record: Row<E>, me: CurrentUser): boolean
  /** Pages about single records; each row and the command palette link to them. */
  pages?: readonly RecordPage[]
  /** Parts of the toolbar, before Create. */
  toolbar?: readonly ComponentType[]
  /** The whole number by which people order the records by hand, larger ones first. */
  order?: FormField<E>
  /** A line above the toolbar that sums up the list, such as by counts. */
  Summary?: ComponentType
  /** The records for a screen that nobody touches, which fills it alone. It reads them, all at once, from the list context. */
  Wall?: ComponentType
  /** The groups below whose headings the rows of the table can stand: their entity, and their field with the ids of members. */
  sections?: MemberOf
  /** The groups that the form offers for its record, which hold it among their members. */
  memberOf?: MemberOf
  /** The order when the address names none. Default: `id`, ascending. */
  sort?: { field: string; order: 'ASC' | 'DESC' }
  /** A page that makes the first ones, below `/dashboard`: an empty list leads there. */
  guide?: { path: string; labelKey: string }
}

/** A definition with its defaults filled in, as the engine draws it. */
export interface Resource<E extends Entity = Entity> {
  entity: E
  columns: readonly Column[]
  card?: Card
  filters: readonly (string | Filter)[]
  live?: (sources: LiveSources) => Promise<Snapshot>
  form: readonly Section[]
  notes: readonly FormNote[]
  rowActions: readonly RowAction[]
  bulkActions: readonly BulkAction[]
  deleteDialog?: DeleteDialog
  isProtected: NonNullable<ResourceOptions<E, Snapshot>['isProtected']>
  pages: readonly RecordPage[]
  toolbar: readonly ComponentType[]
  order?: string
  Summary?: ComponentType
  Wall?: ComponentType
  sections?: MemberOf
  memberOf?: MemberOf
  sort: { field: string; order: 'ASC' | 'DESC' }
  guide?: { path: string; labelKey: string }
}

/**
 * Declares an entity's screen as data: list, form, dialogs and actions derive from it. Where it is shown is said in the
 * registry (`src/resources/index.ts`), which loads it when it is needed. Texts are not part
 * of it, their keys follow from names: `resources.<entity>.fields.<field>`, `.columns.<key>`, `.sections.<key>`,
 * `.actions.<name>` (see `EntityTexts`).
 *
 * @example
 * export default defineResource(nat, { columns: ['id', 'name', 'server_id'], filters: ['name'] })
 */
export function defineResource<E extends Entity, Live = Snapshot>(
  entity: E,
  options: ResourceOptions<E, Live>,
): Resource {
  const { verbs } = entity.api
  const { notes = [], pages = [], toolbar = [], live } = options
  const filters = options.filters && withTeam(entity, options.filters)
  const defaultRowActions: RowAction[] = [
    ...(verbs.includes('update') ? ['edit' as const] : []),
    ...(verbs.includes('delete') ? ['delete' as const] : []),
  ]
  return {
    entity,
    filters: (filters ?? []) as readonly unknown[] as Resource['filters'],
    notes,
    pages,
    toolbar,
    live,
    order: options.order,
    Summary: options.Summary,
    Wall: options.Wall,
    sections: options.sections,
    memberOf: options.memberOf,
    card: options.card,
    guide: options.guide,
    // From here on the engine gives them the rows of this entity, without knowing its type.
    columns: withTeam<unknown>(entity, options.columns).map((item): unknown =>
      typeof item === 'string' ? column(item) : item,
    ) as Column[],
    form: asSections(
      options.form ? withTeam(entity, options.form) : (Object.keys(entity.form.shape) as FormField<E>[]),
    ),
    rowActions: options.rowActions ?? defaultRowActions,
    deleteDialog: options.deleteDialog,
    isProtected: options.isProtected ?? (() => false),
    bulkActions: [
      // An update reads the record again, which a list that the server pages cannot give.
      ...(verbs.includes('update') && entity.api.paging === 'whole' ? ['edit' as const] : []),
      ...(options.bulkActions ?? (verbs.includes('delete') ? ['delete' as const] : [])),
    ],
    sort: options.sort ?? { field: 'id', order: 'ASC' },
  }
}

/** The parts of a form, the columns or the filters with the team at their end, where records can belong to one. */
const withTeam = <Item>({ form }: Entity, items: readonly Item[]): readonly (Item | 'team')[] =>
  'team' in form.shape ? [...items, 'team'] : items

/** Fields that are in no section get sections without a heading, in their place. */
function asSections(items: readonly (string | FieldItem | Section)[]): Section[] {
  const sections: Section[] = []
  for (const item of items) {
    if (typeof item !== 'string' && 'section' in item) {
      sections.push(item)
      continue
    }
    const last = sections.at(-1)
    if (last && last.section === '') sections[sections.length - 1] = { ...last, items: [...last.items, item] }
    else sections.push({ section: '', items: [item] })
  }
  return sections
}

type Needs = readonly ('live' | EntityName)[]

/** A filter that no field answers by itself, or not in the way of its kind; its label is that of the column or field. */
export interface Filter<R = Row, Live = Snapshot> {
  source: string
  /** Whether a row passes. Absent where the server filters. */
  matches?: Matches<R, Live>
  /** What `matches` needs besides a row: what the definition calls `live`, or rows of other entities. */
  needs?: Needs
  /** Fixed choices, by their text keys. */
  words?: Readonly<Record<string, string>>
  /** Chosen among the records of this entity; the value is an id. */
  to?: string
  /** Chosen among the values that the rows of the list have. */
  valuesOf?: (row: R) => readonly string[]
  /** The text of such a value on screen. Default: the value itself. */
  wordOf?: (value: string, language: Language) => string
  /** Only servers that announce this key of `wheelhouse` have it. */
  announced?: string
}

/** One of some states that rows are in by a rule of their own, such as online and offline; the search finds them too. */
export const filterByState = <R = Row, Live = Snapshot>(
  source: string,
  words: Readonly<Record<string, string>>,
  options: Pick<Filter<R, Live>, 'matches' | 'needs' | 'announced'> = {},
): Filter<R, Live> => ({ source, words, ...options })

/** One record of another entity, which rows belong to by a rule of their own. */
export const filterByRecord = <R = Row, Live = Snapshot>(
  source: string,
  to: EntityName,
  matches?: Matches<R, Live>,
): Filter<R, Live> => ({ source, to, needs: [to], matches })

/** One of the values that the rows of the list have. @param wordOf the text of a value on screen */
export const filterByValue = <R = Row, Live = Snapshot>(
  source: string,
  valuesOf: (row: R) => readonly string[],
  wordOf?: Filter['wordOf'],
): Filter<R, Live> => ({ source, valuesOf, wordOf, matches: (row, value) => valuesOf(row).includes(value) })

/** A part of a text that is no field of its own, in any case. */
export const filterByText = <R = Row, Live = Snapshot>(
  source: string,
  textOf: (row: R) => string,
): Filter<R, Live> => ({
  source,
  matches: (row, value) => textOf(row).toLowerCase().includes(value.trim().toLowerCase()),
})

/** A cell without props: it reads its record from react-admin's record context. */
type CellComponent = ComponentType<Record<string, never>>

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
