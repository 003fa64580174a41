import type { ComponentType } from 'react'
import type { RaRecord } from 'react-admin'
import type { Matches, Snapshot, SortValue, TextValue } from '../../../records/queryRows.ts'
import type { Rule } from '../../../schemas/define/access.ts'
import type { Endpoint, InputOf, ReplyOf } from '../../../schemas/define/endpoint.ts'
import type { Entity, FieldName, FormField } from '../../../schemas/define/entity.ts'
import type { InputProps } from '../kinds/parts/kind.ts'

/** A cell without props: it reads its record from react-admin's record context. */
export type CellComponent = ComponentType<Record<string, never>>

export interface ColumnOptions {
  /** What the column sorts by, when it is not the value of its source. `false`: it does not sort. */
  sortValue?: SortValue | false
  /** The column's text for search and export, when it is not the value of its source. */
  text?: TextValue
  /** Entities whose rows `sortValue` and `text` look into. */
  related?: readonly string[]
  /** `end` for numbers. */
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

/** A choice whose options rows match by a rule of their own, such as online and offline. */
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

/** A toast: a text key with its arguments. */
export interface Message {
  key: string
  args?: Record<string, unknown>
  type?: 'success' | 'info' | 'warning' | 'error'
}

/** Who is signed in, as far as definitions need it. */
export interface CurrentUser {
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
   * Whether to warn: the arguments of the text `actions.<name>.warning`, or `undefined`. A person who is warned has to
   * tick `actions.<name>.consent` first.
   */
  warn?: (records: readonly Readonly<Record<string, unknown>>[], me: CurrentUser) => Record<string, unknown> | undefined
  /** The call's input. Default: `{ id }` for a row action, the ids for a bulk action. */
  input?: (ids: readonly (number | string)[]) => InputOf<E>
  /** The toast for a reply. Default: `actions.<name>.done`. */
  report?: (reply: ReplyOf<E>) => Message
  /** Only servers that announce this key of `wheelhouse` have it. */
  announced?: string
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

/** A dialog that asks before a deletion more than whether it is meant. */
export interface DeleteDialog {
  Dialog: ComponentType<ActionDialogProps>
  /** Only servers that announce this key of `wheelhouse` have what it needs. */
  announced: string
}

/** A button that opens a dialog; the dialog makes its own calls and says how they went. */
export interface DialogAction {
  action: string
  Dialog: ComponentType<ActionDialogProps>
  /** Who may open it. A dialog that sends a call has the rule of that endpoint. */
  access: Rule
  /** Whether a row offers it. Row actions only. */
  when?: (record: Readonly<Record<string, unknown>>) => boolean
  /** Only servers whose `GET /setting` lists this key under `wheelhouse` have what it needs. */
  announced?: string
  /**
   * An endpoint that Nezha servers have. The button is hidden after one has answered it with 404, and on the embedded
   * server unless it has `announced` what it needs.
   */
  nezhaOnly?: Endpoint
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

/** A hand-made page about one record, opened in a browser tab of its own. */
export interface RecordPage {
  /** First part of its address; the record's id follows: `terminal` is `/dashboard/terminal/5`. */
  path: string
  /** The label of links to it; `%{name}` is the record. */
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
  /** What sorting and filtering may need beyond the records, as it is now: live metrics. */
  snapshot?: () => Promise<Snapshot>
  /** The form's fields, in order. Default: every form field in schema order. */
  form?: readonly (FormField<E> | FieldItem<FormField<E>> | Section<FormField<E>>)[]
  /** Buttons of a row. Default: what `api.verbs` allows. */
  rowActions?: readonly RowAction[]
  /** Buttons for the selected rows. Default: what `api.verbs` allows. */
  bulkActions?: readonly BulkAction[]
  /** Asks before a deletion, and deletes, in place of the usual question; where the server announces that key. */
  deleteDialog?: DeleteDialog
  /** Whether this person must not delete a record; the text `protected` says why. */
  isProtected?: (record: Readonly<Record<string, unknown>>, me: CurrentUser) => boolean
  /** Pages about single records; each row and the command palette link to them. */
  pages?: readonly RecordPage[]
  /** Parts of the toolbar, before Create. */
  toolbar?: readonly ComponentType[]
  /** The order when the address names none. Default: `id`, ascending. */
  sort?: { field: string; order: 'ASC' | 'DESC' }
  /** The field that names a record in titles and confirmations. Default: `name`. */
  nameField?: string
}

/** A definition with its defaults filled in, as the engine draws it. */
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
  deleteDialog?: DeleteDialog
  isProtected: NonNullable<ResourceOptions<E>['isProtected']>
  pages: readonly RecordPage[]
  toolbar: readonly ComponentType[]
  sort: { field: string; order: 'ASC' | 'DESC' }
  nameField: string
}

/**
 * Declares an entity's screen as data: list, form, dialogs, actions and menu entry derive from it. Texts are not part
 * of it, their keys follow from names: `resources.<entity>.fields.<field>`, `.columns.<key>`, `.sections.<key>`,
 * `.actions.<name>` (see `EntityTexts`).
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
    deleteDialog: options.deleteDialog,
    isProtected: options.isProtected ?? (() => false),
    bulkActions: options.bulkActions ?? (verbs.includes('delete') ? ['delete'] : []),
    sort: options.sort ?? { field: 'id', order: 'ASC' },
  }
}

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
