import type { ComponentType } from 'react'
import type { RaRecord } from 'react-admin'
import type { TextArgs } from '../../../i18n/fillText.ts'
import type { Right, Rule } from '../../schemas/define/access.ts'
import type { Endpoint, InputOf, ReplyOf } from '../../schemas/define/endpoint.ts'
import type { Values } from '../../schemas/define/values.ts'
import type { Toast } from '../parts/ActionDialog.tsx'
import { lazyPart } from '../parts/lazyPart.tsx'

/** What an action reports. Its link leads to the dialog of the first record at this `address`. */
export interface ActionToast extends Omit<Toast, 'link'> {
  link?: { address: string; labelKey: string }
}

/** Who is signed in, as far as definitions need it. */
export interface CurrentUser {
  id?: unknown
  /** The address of the session, where the server knows it. */
  loginIp?: string
}

/** @template R the record of a row */
export interface Action<E extends Endpoint = Endpoint, R = Values> {
  action: string
  endpoint: E
  /** Whether a row offers it: an action that would do nothing for a record is absent. Row actions only. */
  when?(record: R): boolean
  /** The right by which a role lets somebody do it to records of others. Default: none does. */
  right?: Right
  /** Asks first, with the text `actions.<name>.confirm`. */
  confirm?: boolean
  /** Whether another action or list takes it back: the question does not call it final then. */
  isReversible?: boolean
  /**
   * Whether to warn: the arguments of the text `actions.<name>.warning`, or `undefined`. A person who is warned has to
   * tick `actions.<name>.consent` first.
   */
  warn?(records: readonly R[], me: CurrentUser): TextArgs | undefined
  /** The call's input. Default: `{ id }` for a row action, the ids for a bulk action. */
  input?: (ids: readonly (number | string)[]) => InputOf<E>
  /** The toast for a reply. Default: `actions.<name>.done`. */
  report?(reply: ReplyOf<E>, records: readonly R[]): ActionToast
  /** Only servers that announce this key of `wheelhouse` have it. */
  announced?: string
}

/**
 * A call outside CRUD as a button. Its texts are `actions.<name>`; who may press it is the endpoint's `access`.
 *
 * @example
 * action('run', endpoints.runCron, { when: hasServers })
 */
export const action = <E extends Endpoint, R = Values>(
  name: string,
  endpoint: E,
  options: Omit<Action<E, R>, 'action' | 'endpoint'> = {},
): Action<E, R> => ({ action: name, endpoint, ...options })

// biome-ignore lint/suspicious/noExplicitAny: a list of actions holds endpoints of many shapes; each is checked where it is made
type AnyAction<R> = Action<any, R>

/** What a dialog of a definition is given. */
export interface ActionDialogProps {
  /** The record of the row, or the selected records. */
  records: readonly RaRecord[]
  onClose: () => void
}

/** A dialog that replaces the usual confirmation of a deletion, because it has more to ask. */
export interface DeleteDialog {
  Dialog: ComponentType<ActionDialogProps>
  /** Only servers that announce this key of `wheelhouse` have what it needs. */
  announced: string
}

/** A button that opens a dialog; the dialog makes its own calls and reports the results. */
export interface DialogAction<R = Values> {
  action: string
  Dialog: ComponentType<ActionDialogProps>
  /** Who may open it. A dialog that sends a call has the rule of that endpoint. */
  access: Rule
  /** The right by which a role opens it for records of others. Default: none does. */
  right?: Right
  /** Its address behind that of its record, as `runs` of `/dashboard/cron/7/runs`. Row actions only. */
  address?: string
  /** Whether a row offers it. Row actions only. */
  when?(record: R): boolean
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
 * @param load fetches the dialog when it is first opened
 * @example
 * dialog('reinstall', () => import('./ReinstallDialog.tsx'), { access: 'user' })
 */
export const dialog = <R = Values>(
  name: string,
  load: () => Promise<{ default: ComponentType<ActionDialogProps> }>,
  options: Omit<DialogAction<R>, 'action' | 'Dialog'>,
): DialogAction<R> => ({ action: name, Dialog: lazyPart(load), ...options })

export const opensDialog = (action: RowAction | BulkAction): action is DialogAction =>
  typeof action === 'object' && 'Dialog' in action

export type RowAction<R = Values> = 'edit' | 'delete' | AnyAction<R> | DialogAction<R>
/** Every entity whose records can be edited has `edit` in front, for all selected ones at once. */
export type BulkAction<R = Values> = 'edit' | 'delete' | AnyAction<R> | DialogAction<R>

/** The right by which a role lets somebody do it to records of others: only owners delete. */
export const rightFor = (action: RowAction | BulkAction): Right | undefined =>
  action === 'edit' ? 'configure' : action === 'delete' ? undefined : action.right

/** Whether a row's button makes sense for its record. */
export const isOffered = (action: RowAction, record: Values): boolean =>
  typeof action === 'string' || (action.when?.(record) ?? true)
