import { createContext, use, useMemo } from 'react'
import { type Identifier, useBasename, useGetIdentity, useLocation, useTranslate } from 'react-admin'
import { allows, type Rule } from '../../../schemas/define/access.ts'
import type { Verb, WriteVerb } from '../../../schemas/define/entity.ts'
import { AnnouncedContext } from './announcedByServer.tsx'
import { type BulkAction, isOffered, type Me, opensDialog, type Resource, type RowAction } from './defineResource.ts'
import { useMissing } from './missingEndpoints.ts'
import { metaOf } from './screenMeta.ts'
import { textsOf } from './texts.ts'

export type Screen = ReturnType<typeof useNewScreen>

export const ScreenContext = createContext<Screen | undefined>(undefined)

/** What the parts of a screen share. @throws outside of a `ResourceScreen` */
export function useScreen(): Screen {
  const screen = use(ScreenContext)
  if (!screen) throw new Error('useScreen() works below <ResourceScreen> only.')
  return screen
}

/** First segment of a dialog's address; the home screen's dialogs stand below the entity's name. */
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
 * A definition together with its texts and what this person may do: worked out once for a screen, because a hundred
 * rows ask for it. It stays the same while the address changes, so that a letter typed into the search draws no row
 * anew that stays. Hiding an action is a kindness; the server is what refuses.
 */
export function useNewScreen(definition: Resource) {
  const translate = useTranslate()
  const basename = useBasename()
  const { identity } = useGetIdentity()
  const role = identity?.role as number | undefined
  const announced = use(AnnouncedContext)
  const isMissing = useMissing()
  const meta = useMemo(() => metaOf(definition), [definition])
  return useMemo(() => {
    const { entity } = definition
    const root = `${basename}/${dialogRoot(definition)}`
    const may = (rule: Rule) => allows(role, rule)
    // The embedded server announces what it has beyond the contract; the others announce nothing.
    const isElsewhere = announced?.size === 0
    const allowed = (verb: Verb) =>
      may(entity.access[verb]) && (verb === 'list' || entity.api.verbs.includes(verb as WriteVerb))
    const isHad = ({ announced: key }: { announced?: string }) => key === undefined || announced?.has(key) === true
    const isAllowed = (action: RowAction | BulkAction) =>
      action === 'edit'
        ? allowed('update')
        : action === 'delete'
          ? allowed('delete')
          : opensDialog(action)
            ? may(action.access) && (!action.elsewhere || (isElsewhere && !isMissing(action.elsewhere)))
            : may(action.endpoint.access) && isHad(action)
    const me: Me = { id: identity?.id, loginIp: identity?.loginIp }
    const isSpared = (record: Record<string, unknown>) => definition.spares(record, me)
    const rowActions = definition.rowActions.filter(isAllowed)
    const bulkActions = definition.bulkActions.filter(isAllowed)
    return {
      definition,
      entity,
      /**
       * What the data provider is told with each question, by all parts of the screen: a live order is then of one
       * moment.
       */
      meta,
      translate,
      texts: textsOf(translate, definition),
      allowed,
      me,
      /** Whether this person must not delete the record. */
      isSpared,
      /** Whether a row's button makes sense for its record. */
      offers: (action: RowAction, record: Record<string, unknown>) =>
        action === 'delete' ? !isSpared(record) : isOffered(action, record),
      /** Those that the server has. */
      columns: definition.columns.filter(isHad),
      rowActions,
      bulkActions,
      /** Whether selecting rows leads anywhere: without a bulk action there is nothing to select them for. */
      canSelect: bulkActions.length > 0,
      /** Whether rows have a place for pages, Edit and their menu. */
      hasRowActions: rowActions.length > 0 || definition.pages.length > 0 || allowed('create'),
      dialogPattern: `${root}/:id`,
    }
  }, [definition, meta, translate, basename, role, identity?.id, identity?.loginIp, announced, isMissing])
}
