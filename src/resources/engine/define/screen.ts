import { createContext, use, useMemo } from 'react'
import { type Identifier, useBasename, useGetIdentity, useLocation, useTranslate } from 'react-admin'
import type { ListMeta } from '../../../records/queryPlan.ts'
import type { Snapshot } from '../../../records/queryRows.ts'
import { allows, type Rule } from '../../../schemas/define/access.ts'
import type { Verb, WriteVerb } from '../../../schemas/define/entity.ts'
import { AnnouncedFeaturesContext } from './announcedFeatures.tsx'
import {
  type BulkAction,
  type CurrentUser,
  type DialogAction,
  type Filter,
  isOffered,
  opensDialog,
  type Resource,
  type RowAction,
} from './defineResource.ts'
import { useMissing } from './missingEndpoints.ts'
import { textsOf } from './texts.ts'

export type Screen = ReturnType<typeof useScreenValue>

export const ScreenContext = createContext<Screen | undefined>(undefined)

/** What the parts of a screen share. @throws outside of a `ResourceScreen` */
export function useScreen(): Screen {
  const screen = use(ScreenContext)
  if (!screen) throw new Error('useScreen() works below <ResourceScreen> only.')
  return screen
}

/** First segment of a dialog's address. The home screen has no path, so its dialogs use the entity's name. */
export const dialogRoot = ({ path, entity }: Resource) => path || entity.name

/**
 * The addresses of a list's dialogs and of its records' pages. Dialogs keep the list's query, so that closing one leads
 * back to the same rows.
 */
export function useAddresses() {
  const { definition } = useScreen()
  const basename = useBasename()
  const { search } = useLocation()
  return useMemo(() => {
    const root = `${basename}/${dialogRoot(definition)}`
    return {
      list: { pathname: definition.path ? `${basename}/${definition.path}` : basename || '/', search },
      create: { pathname: `${root}/create`, search },
      edit: (id: Identifier) => ({ pathname: `${root}/${encodeURIComponent(id)}`, search }),
      page: (path: string, id: Identifier) => `${basename}/${path}/${encodeURIComponent(id)}`,
    }
  }, [definition, basename, search])
}

/**
 * A definition together with its texts and what this person may do: built once per screen, because a hundred rows use
 * it. It stays the same while the address changes, so that a letter of a search redraws no row that stays. Actions are
 * hidden for convenience only; the server enforces the rules.
 */
export function useScreenValue(definition: Resource) {
  const translate = useTranslate()
  const basename = useBasename()
  const { identity } = useGetIdentity()
  const role = identity?.role as number | undefined
  const announced = use(AnnouncedFeaturesContext)
  const isMissing = useMissing()
  const meta = useMemo(() => listMetaOf(definition), [definition])
  return useMemo(() => {
    const { entity } = definition
    const root = `${basename}/${dialogRoot(definition)}`
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
    const isProtected = (record: Record<string, unknown>) => definition.isProtected(record, me)
    const rowActions = definition.rowActions.filter(isAllowed)
    const bulkActions = definition.bulkActions.filter(isAllowed)
    return {
      definition,
      entity,
      /** Passed with each request by all parts of the screen, so that an order by live metrics has one snapshot. */
      meta,
      translate,
      texts: textsOf(translate, definition),
      allowed,
      me,
      /** What asks before a deletion, where this server has what it needs. */
      DeleteDialog:
        definition.deleteDialog && isAnnounced(definition.deleteDialog) ? definition.deleteDialog.Dialog : undefined,
      /** Whether this person must not delete the record. */
      isProtected,
      /** Whether a row's button makes sense for its record. */
      offers: (action: RowAction, record: Record<string, unknown>) =>
        action === 'delete' ? !isProtected(record) : isOffered(action, record),
      /** The columns that this server has. */
      columns: definition.columns.filter(isAnnounced),
      rowActions,
      bulkActions,
      /** Whether rows can be selected: without a bulk action there is nothing to select them for. */
      canSelect: bulkActions.length > 0,
      /** Whether rows have a cell for pages, Edit and their menu. */
      hasRowActions: rowActions.length > 0 || definition.pages.length > 0 || allowed('create'),
      dialogPattern: `${root}/:id`,
    }
  }, [definition, meta, translate, basename, role, identity?.id, identity?.loginIp, announced, isMissing])
}

/** What the data provider needs of a definition to sort, search and filter by it. */
function listMetaOf({ columns, filters, snapshot }: Resource): ListMeta {
  const own = filters.filter((filter): filter is Filter => typeof filter !== 'string')
  return {
    columns: Object.fromEntries(
      columns.map(({ source, sortValue, text, related }) => [source, { sortValue, text, related }]),
    ),
    matches: Object.fromEntries(own.map(({ source, matches }) => [source, matches])),
    snapshot: snapshot && lastSnapshot(snapshot),
  }
}

/** Pages of one sorted list come from the same snapshot: metrics that went on changing would shuffle the rows. */
function lastSnapshot(take: () => Promise<Snapshot>): (key: string) => Promise<Snapshot> {
  let last: { key: string; snapshot: Promise<Snapshot> } | undefined
  return (key) => {
    if (last?.key !== key) last = { key, snapshot: take() }
    return last.snapshot
  }
}
