import { useQueryClient } from '@tanstack/react-query'
import { createContext, use, useMemo } from 'react'
import { type Identifier, useBasename, useDataProvider, useLocaleState, useLocation, useTranslate } from 'react-admin'
import type { TextArgs } from '../../../i18n/fillText.ts'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import type { ListMeta } from '../../records/queryPlan.ts'
import type { Language, Row, Snapshot } from '../../records/queryRows.ts'
import { allows, isReadOnly, mayOn, type Rule } from '../../schemas/define/access.ts'
import { describeField } from '../../schemas/define/describe.ts'
import { isSentElsewhere, recordName, type Verb, type WriteVerb } from '../../schemas/define/entity.ts'
import type { Values } from '../../schemas/define/values.ts'
import type { ChangeVerb } from '../../undo/actionKey.ts'
import { lastAction } from '../../undo/changeRecorder.ts'
import { useIdentity } from '../parts/identity.tsx'
import {
  type BulkAction,
  type CurrentUser,
  type DialogAction,
  isOffered,
  opensDialog,
  type RowAction,
  rightFor,
} from './action.ts'
import type { Column, Resource } from './defineResource.ts'
import {
  AnnouncedFeaturesContext,
  dialogRoot,
  type ResourceAddress,
  type ResourceEntry,
  recordPath,
  useMissing,
} from './page.tsx'

export type Screen = ReturnType<typeof useScreenValue>

export const ScreenContext = createContext<Screen | undefined>(undefined)

/** What the parts of a screen share. @throws outside of a `ResourceScreen` */
export function useScreen(): Screen {
  const screen = use(ScreenContext)
  if (!screen) throw new Error('useScreen() works below <ResourceScreen> only.')
  return screen
}

/** Tells whether stored secrets of a record are not kept when it is saved with other values (see `isSentElsewhere`). */
export function useLosesSecrets(): (before: Values, values: Values) => boolean {
  const { entity } = useScreen()
  const isBound = use(AnnouncedFeaturesContext)?.has('bound_secrets') === true
  return (before, values) => isBound && isSentElsewhere(entity, before, values)
}

/** What a link to a form or dialog may say in the history: where closing it leads, instead of to the list. */
export interface FormState {
  openedFrom?: string
}

/**
 * The addresses of a list's dialogs and of its records' pages. Dialogs keep the list's query, so that closing one leads
 * back to the same rows.
 */
export function useAddresses() {
  const { entry } = useScreen()
  const basename = useBasename()
  const { search } = useLocation()
  return useMemo(() => {
    const root = `${basename}/${dialogRoot(entry)}`
    return {
      list: { pathname: entry.path ? `${basename}/${entry.path}` : basename || '/', search },
      create: { pathname: `${root}/create`, search },
      edit: (id: Identifier) => ({ pathname: `${root}/${encodeURIComponent(id)}`, search }),
      /** Where the name of a record leads. The query of a list means nothing on an overview. */
      open: (id: Identifier) => ({
        pathname: `${basename}/${recordPath(entry, id)}`,
        search: entry.overview ? '' : search,
      }),
      dialog: (id: Identifier, address: string) => ({
        pathname: `${root}/${encodeURIComponent(id)}/${address}`,
        search,
      }),
      page: (path: string, id: Identifier) => `${basename}/${path}/${encodeURIComponent(id)}`,
    }
  }, [entry, basename, search])
}

/**
 * A definition together with its place, its texts and what this person may do: built once per screen, because a hundred rows use
 * it. It stays the same while the address changes, so that a letter of a search redraws no row that stays. Actions are
 * hidden for convenience only; the server enforces the rules.
 */
export function useScreenValue(entry: ResourceAddress, definition: Resource) {
  const translate = useTranslate()
  const basename = useBasename()
  const { identity } = useIdentity()
  const role = identity?.role as number | undefined
  const announced = use(AnnouncedFeaturesContext)
  const isMissing = useMissing()
  const queryClient = useQueryClient()
  const dataProvider = useDataProvider<ConsoleDataProvider>()
  const [locale] = useLocaleState()
  const language = useMemo<Language>(() => ({ locale, translate }), [locale, translate])
  const snapshots = useMemo(() => {
    const { live } = definition
    return live && createSnapshots(() => live({ queryClient, dataProvider }))
  }, [definition, queryClient, dataProvider])
  const meta = useMemo(() => listMetaOf(definition, language, snapshots), [definition, language, snapshots])
  return useMemo(() => {
    const { entity } = definition
    const { translate } = language
    const root = `${basename}/${dialogRoot(entry)}`
    const may = (rule: Rule) => allows(role, rule)
    // The embedded server announces what it has beyond the contract; the others announce nothing.
    const isNezha = announced?.size === 0
    const allowed = (verb: Verb) =>
      may(entity.access[verb]) && (verb === 'list' || entity.api.verbs.includes(verb as WriteVerb))
    const isAnnounced = ({ announced: key }: { announced?: string }) =>
      key === undefined || announced?.has(key) === true
    const hasDialog = ({ announced: key, nezhaOnly }: DialogAction) =>
      nezhaOnly && isNezha ? !isMissing(nezhaOnly) : key === undefined ? !nezhaOnly : announced?.has(key) === true
    const isAllowed = (action: RowAction | BulkAction) =>
      action === 'edit'
        ? allowed('update')
        : action === 'delete'
          ? allowed('delete')
          : opensDialog(action)
            ? may(action.access) && hasDialog(action)
            : may(action.endpoint.access) && isAnnounced(action)
    const me: CurrentUser = { id: identity?.id, loginIp: identity?.loginIp }
    const isProtected = (record: Row) => definition.isProtected(record, me)
    const rowActions = definition.rowActions.filter(isAllowed)
    const bulkActions = definition.bulkActions.filter(isAllowed)
    return {
      entry,
      definition,
      entity,
      /** Passed with each request by all parts of the screen, so that an order by live metrics has one snapshot. */
      meta,
      takeSnapshot: snapshots?.take,
      prepareSnapshot: snapshots?.prepare,
      language,
      translate,
      texts: textsOf(translate, definition),
      allowed,
      me,
      /** The dialog that asks before a deletion, where this server supports it. */
      DeleteDialog:
        definition.deleteDialog && isAnnounced(definition.deleteDialog) ? definition.deleteDialog.Dialog : undefined,
      /** Whether this person must not delete the record. */
      isProtected,
      /** Whether a row's button makes sense for its record, and this person may press it. */
      offers: (action: RowAction, record: Row) =>
        mayOn(record, rightFor(action)) && (action === 'delete' ? !isProtected(record) : isOffered(action, record)),
      /** The field by which this person may order the records. */
      orderField: allowed('update') ? definition.order : undefined,
      /** The columns that this server has. */
      columns: definition.columns.filter(
        (column) => isAnnounced(column) && isAnnounced(describeField(entity, column.source) ?? {}),
      ),
      rowActions,
      bulkActions,
      /** Whether the name of a record leads anywhere for this person. */
      canOpen: entry.overview !== undefined || allowed('update'),
      /** Whether the name of this record does: read-only records have no form. */
      opens: (record: object) => entry.overview !== undefined || !isReadOnly(record),
      /** Whether rows can be selected: without a bulk action there is nothing to select them for. */
      canSelect: bulkActions.length > 0,
      /** Whether rows have a cell for pages, Edit and their menu. */
      hasRowActions: rowActions.length > 0 || definition.pages.length > 0 || allowed('create'),
      dialogPattern: `${root}/:id`,
    }
  }, [
    entry,
    definition,
    meta,
    snapshots,
    language,
    basename,
    role,
    identity?.id,
    identity?.loginIp,
    announced,
    isMissing,
  ])
}

/** What the data provider needs of a definition to sort, search and filter by it. */
function listMetaOf(
  { columns, filters, order }: Resource,
  language: Language,
  snapshots: Snapshots | undefined,
): ListMeta {
  return {
    columns: Object.fromEntries(
      columns.map(({ source, sort, sortState, text, needs }) => [source, { sort, sortState, text, needs }]),
    ),
    order,
    filters: Object.fromEntries(
      filters.flatMap((filter) =>
        typeof filter !== 'string' && filter.matches
          ? [[filter.source, { matches: filter.matches, needs: filter.needs, words: filter.words }]]
          : [],
      ),
    ),
    snapshot: snapshots?.ofKey,
    language,
  }
}

/** Milliseconds for which a snapshot is as good as a new one. */
const maxAgeMs = 1_000

/** The snapshots of one screen. */
export interface Snapshots {
  take(): Promise<Snapshot>
  /** Takes one for somebody who is about to ask for a new key. */
  prepare(): void
  /**
   * The one of this key; another key takes a new one, or that which was prepared just now. Pages of one sorted list come
   * from the same snapshot: metrics that went on changing would shuffle the rows.
   */
  ofKey(key: string): Promise<Snapshot>
}

export function createSnapshots(take: () => Promise<Snapshot>, now = () => performance.now()): Snapshots {
  let prepared: { promise: Promise<Snapshot>; takenAt: number } | undefined
  let used: { key: string; promise: Promise<Snapshot> } | undefined

  const recent = () => (prepared && now() - prepared.takenAt <= maxAgeMs ? prepared.promise : undefined)

  return {
    take,
    prepare() {
      const taken = { promise: take(), takenAt: now() }
      prepared = taken
      // The next one asks again.
      taken.promise.catch(() => {
        if (prepared === taken) prepared = undefined
      })
    },
    ofKey(key) {
      if (used?.key !== key) used = { key, promise: recent() ?? take() }
      return used.promise
    },
  }
}

type Translate = ReturnType<typeof useTranslate>

/** The texts of one entity; their keys follow from the names in its schema and its definition. */
export function textsOf(translate: Translate, { entity }: Pick<ResourceEntry, 'entity'>) {
  const root = `resources.${entity.name}`
  const optional = (key: string) => translate(`${root}.${key}`, { _: '' }) || undefined
  const label = (source: string) => translate(`${root}.fields.${source.replaceAll('.', '_')}`)
  const nameOf = (record: Values) => recordName(entity, record)
  const counted = (count: number) => translate(`${root}.counted`, { smart_count: count })
  return {
    /** 'Servers' */
    plural: translate(`${root}.name`, { smart_count: 2 }),
    /** 'Server' */
    singular: translate(`${root}.name`, { smart_count: 1 }),
    /** '3 servers' */
    counted,
    /** The name of a record in titles and confirmations. */
    nameOf,
    /** A record by its name in quotes, several by their number: '“web-1”', '3 servers'. */
    what: (records: readonly Values[]) => {
      const [first] = records
      return records.length === 1 && first
        ? translate('app.confirm.quoted', { name: nameOf(first) })
        : counted(records.length)
    },
    heading: ({ source, derived }: Column) => (derived ? translate(`${root}.columns.${source}`) : label(source)),
    /** Of a field, or of a dotted source such as `host.version`: a dot in a key would be a step of it. */
    label,
    help: (field: string) => optional(`help.${field}`),
    section: (key: string) => translate(`${root}.sections.${key}`),
    empty: translate(`${root}.empty`),
    /** What follows from a deletion; another sentence where the server announces a feature that changes it. */
    deleteNote: (announced: Iterable<string> = []) =>
      [...announced].map((feature) => optional(`deleteNotes.${feature}`)).find(Boolean) ?? optional('deleteNote'),
    protected: translate(`${root}.protected`),
    /** The toast for an action without a selection, where it has one of its own. */
    actionNothing: (name: string) => optional(`actions.${name}.nothing`),
    action: (name: string, text: 'label' | 'confirm' | 'done' | 'consent', what = '') =>
      translate(`${root}.actions.${name}.${text}`, { what }),
    warning: (name: string, args: TextArgs) => translate(`${root}.actions.${name}.warning`, args),
  }
}

/**
 * Gives the link behind the message of a write that takes the write back; none when nothing was stored.
 * The write is one of the screen's entity, unless another one is named.
 */
export function useUndoLink() {
  const { entity } = useScreen()
  const { list } = useAddresses()
  const basename = useBasename()
  return (verb: ChangeVerb, name: string = entity.name) => {
    const key = lastAction(name, verb)
    if (!key) return undefined
    return {
      to: { pathname: `${basename}/recent-changes`, search: `?undo=${encodeURIComponent(key)}` },
      state: { openedFrom: `${list.pathname}${list.search}` } satisfies FormState,
      labelKey: 'app.action.undo',
    }
  }
}
