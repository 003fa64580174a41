import type { QueryClient } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import type { Row, Snapshot } from '../../records/queryRows.ts'
import type { Entity, FieldName, FormField } from '../../schemas/define/entity.ts'
import type { EntityName } from '../../schemas/index.ts'
import type { BulkAction, CurrentUser, DeleteDialog, RowAction } from './action.ts'
import { type CellComponent, type Column, column } from './column.ts'
import type { Filter } from './filter.ts'
import type { FormNote } from './formNote.ts'
import type { FieldItem, FormValues, Section } from './section.ts'

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
