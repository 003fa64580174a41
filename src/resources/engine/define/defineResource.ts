import type { ComponentType } from 'react'
import type { RaRecord } from 'react-admin'
import type { Matches, Snapshot, SortValue, TextValue } from '../../../records/queryRows.ts'
import type { Rule } from '../../../schemas/define/access.ts'
import type { Endpoint, InputOf, ReplyOf } from '../../../schemas/define/endpoint.ts'
import type { Entity, FieldName, FormField } from '../../../schemas/define/entity.ts'
import type { InputProps } from '../kinds/parts/kind.ts'

/** What a cell is given: nothing. It reads its record from react-admin's record context. */
export type CellComponent = ComponentType<Record<string, never>>

export interface ColumnOptions {
  /** What the column sorts by, when it is not the value of its source. `false`: it does not sort. */
  sortValue?: SortValue | false
  /** The column's words, for search and export, when they are not the value of its source. */
  text?: TextValue
  /** Entities whose rows `sortValue` and `text` look into. */
  related?: readonly string[]
  /** Numbers stand at the end of their cell. */
  align?: 'start' | 'end'
  /** Starting width in pixels; columns without one share what is left. */
  width?: number
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

/** A filter that no field answers by itself; its label is `columns.<key>`, its choices are `values.<choice>`. */
export interface Filter {
  source: string
  choices: readonly string[]
  matches: Matches
}

/** A choice of words that rows match by a rule of their own, such as online and offline. */
export const filter = (source: string, choices: readonly string[], matches: Matches): Filter => ({
  source,
  choices,
  matches,
})

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
  /** Shown only while the form's values say so. */
  when?: (values: Record<string, unknown>) => boolean
  /** Starts folded: for what few people need. */
  folded?: boolean
}

/** A group of form fields under a heading. */
export const section = <const Source extends string>(
  key: string,
  items: readonly (Source | FieldItem<Source>)[],
  options: Pick<Section, 'when' | 'folded'> = {},
): Section<Source> => ({ section: key, items, ...options })

/** What an action's report may say: a text key with its arguments. */
export interface Message {
  key: string
  args?: Record<string, unknown>
  type?: 'success' | 'info' | 'warning' | 'error'
}

/** Who is looking, as far as definitions ask. */
export interface Me {
  id?: unknown
  /** The address of the session, where the server knows it. */
  loginIp?: string
}

export interface Action<E extends Endpoint = Endpoint> {
  action: string
  endpoint: E
  /** Whether a row offers it: an action that would do nothing for a record is absent. Row actions only. */
  when?: (record: Readonly<Record<string, unknown>>) => boolean
  /** Asks first, with the text `actions.<name>.confirm`. */
  confirm?: boolean
  /**
   * Arguments of the text `actions.<name>.warning`, when there is a reason to warn; a person then has to tick
   * `actions.<name>.consent` first.
   */
  caution?: (records: readonly Readonly<Record<string, unknown>>[], me: Me) => Record<string, unknown> | undefined
  /** The call's input. Default: `{ id }` for a row action, the ids for a bulk action. */
  input?: (ids: readonly (number | string)[]) => InputOf<E>
  /** What to say about the reply. Default: `actions.<name>.done`. */
  report?: (reply: ReplyOf<E>, words: ReportWords) => Message
  /** Only servers that announce this key of `wheelhouse` have it. */
  announced?: string
}

/** What a report can be put together from. */
export interface ReportWords {
  translate: (key: string, args?: Record<string, unknown>) => string
  /** What the record of an id is called. */
  nameOf: (id: number | string) => string
}

/**
 * A call outside CRUD as a button. Its texts are `actions.<name>`; who may press it is the endpoint's `access`.
 *
 * @example
 * action('run', endpoints.runCron, { when: hasServers })
 */
export const action = <E extends Endpoint>(
  name: string,
  endpoint: E,
  options: Omit<Action<E>, 'action' | 'endpoint'> = {},
): Action<E> => ({ action: name, endpoint, ...options })

// biome-ignore lint/suspicious/noExplicitAny: a list of actions holds endpoints of many shapes; each is checked where it is made
type AnyAction = Action<any>

/** What a dialog of a definition is given. */
export interface ActionDialogProps {
  /** The record of the row, or the selected records. */
  records: readonly RaRecord[]
  onClose: () => void
}

/** A button that opens a dialog; the dialog makes its own calls and says how they went. */
export interface DialogAction {
  action: string
  Dialog: ComponentType<ActionDialogProps>
  /** Who may open it. A dialog that sends a call has the rule of that endpoint. */
  access: Rule
  /** Whether a row offers it. Row actions only. */
  when?: (record: Readonly<Record<string, unknown>>) => boolean
  /**
   * A call that the embedded server does not have. The button is absent there, and once another server has answered
   * that it has no such call either.
   */
  elsewhere?: Endpoint
}

/**
 * A dialog of records as a button, in the menu of a row or above the list. Its text is `actions.<name>.label`.
 *
 * @example
 * dialog('charts', ServerChartsDialog, { access: 'user' })
 */
export const dialog = (
  name: string,
  Dialog: ComponentType<ActionDialogProps>,
  options: Omit<DialogAction, 'action' | 'Dialog'>,
): DialogAction => ({ action: name, Dialog, ...options })

export const opensDialog = (action: RowAction | BulkAction): action is DialogAction =>
  typeof action === 'object' && 'Dialog' in action

export type RowAction = 'edit' | 'delete' | AnyAction | DialogAction
export type BulkAction = 'delete' | AnyAction | DialogAction

/** Whether a row's button makes sense for its record. */
export const isOffered = (action: RowAction, record: Readonly<Record<string, unknown>>): boolean =>
  typeof action === 'string' || (action.when?.(record) ?? true)

/** A page about one record, drawn by hand and opened in a tab of its own. */
export interface RecordPage {
  /** First part of its address; the record's id follows: `terminal` is `/dashboard/terminal/5`. */
  path: string
  /** What leads there is called; `%{name}` is the record. */
  labelKey: string
  Icon: ComponentType
}

export interface ResourceOptions<E extends Entity> {
  /** Address below `/dashboard`. Default: the entity's name; `''` is the home screen. */
  path?: string
  /** Whether it is an entry of the navigation, a tab of another screen, or neither. */
  menu?: true | { tabOf: string } | false
  /** The list's columns, in order. A field name, or `column(...)` and `derived(...)` for a cell of its own. */
  columns: readonly (FieldName<E> | Column<FieldName<E> | `${FieldName<E>}.${string}`>)[]
  /** Fields by which the list can be filtered, and filters of their own. */
  filters?: readonly (FieldName<E> | Filter)[]
  /** What sorting and filtering may need beyond the records, as of now: live figures. */
  snapshot?: () => Promise<Snapshot>
  /** The form's fields, in order. Default: every form field in schema order. */
  form?: readonly (FormField<E> | FieldItem<FormField<E>> | Section<FormField<E>>)[]
  /** Buttons of a row. Default: what `api.verbs` allows. */
  rowActions?: readonly RowAction[]
  /** Buttons for the selected rows. Default: what `api.verbs` allows. */
  bulkActions?: readonly BulkAction[]
  /** Records that this person must not delete; the text `spared` says why. */
  spares?: (record: Readonly<Record<string, unknown>>, me: Me) => boolean
  /** Pages that every record has of its own; each row leads there, and so does the palette. */
  pages?: readonly RecordPage[]
  /** Drawn in the toolbar before Create. */
  toolbar?: readonly ComponentType[]
  /** The field the list is sorted by at first. Default: `id`, ascending. */
  sort?: { field: string; order: 'ASC' | 'DESC' }
  /** The field that names a record in titles and questions. Default: `name`. */
  nameField?: string
}

/** A definition with its defaults filled in: what the engine draws. */
export interface Resource<E extends Entity = Entity> {
  entity: E
  path: string
  menu: NonNullable<ResourceOptions<E>['menu']>
  columns: readonly Column[]
  filters: readonly (string | Filter)[]
  snapshot?: () => Promise<Snapshot>
  form: readonly Section[]
  rowActions: readonly RowAction[]
  bulkActions: readonly BulkAction[]
  spares: NonNullable<ResourceOptions<E>['spares']>
  pages: readonly RecordPage[]
  toolbar: readonly ComponentType[]
  sort: { field: string; order: 'ASC' | 'DESC' }
  nameField: string
}

/**
 * Declares an entity's screen, as data: list, dialogs, actions and place in the menu derive from it.
 * Labels are no part of it: they follow from names (`resources.<entity>.fields.<field>`).
 *
 * @example
 * export default defineResource(nat, { columns: ['id', 'name', 'server_id'], filters: ['name'] })
 */
export function defineResource<E extends Entity>(entity: E, options: ResourceOptions<E>): Resource {
  const { verbs } = entity.api
  const {
    path = entity.name,
    menu = true,
    filters = [],
    pages = [],
    toolbar = [],
    nameField = 'name',
    snapshot,
  } = options
  const defaultRowActions: RowAction[] = [
    ...(verbs.includes('update') ? ['edit' as const] : []),
    ...(verbs.includes('delete') ? ['delete' as const] : []),
  ]
  return {
    entity,
    path,
    menu,
    filters,
    pages,
    toolbar,
    nameField,
    snapshot,
    columns: options.columns.map((item) => (typeof item === 'string' ? column(item) : item)),
    form: asSections(options.form ?? (Object.keys(entity.form.shape) as FormField<E>[])),
    rowActions: options.rowActions ?? defaultRowActions,
    spares: options.spares ?? (() => false),
    bulkActions: options.bulkActions ?? (verbs.includes('delete') ? ['delete'] : []),
    sort: options.sort ?? { field: 'id', order: 'ASC' },
  }
}

/** Loose fields before, between and after sections stand in sections without a heading. */
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
