import { type ReactNode, useLayoutEffect, useMemo, useRef, useState } from 'react'
import {
  ListContext,
  type ListControllerProps,
  type ListControllerResult,
  ListFilterContext,
  ListPaginationContext,
  ListSortContext,
  useListController,
  usePickFilterContext,
  usePickPaginationContext,
  usePickSortContext,
} from 'react-admin'
import { FollowsTyping } from './pageSizeRouter.tsx'

type AnyFunction = (...parameters: unknown[]) => unknown

interface ListScopeProps extends ListControllerProps {
  /** Whether the rows are in memory, so that an answer is a moment away. */
  isWhole: boolean
  children: ReactNode
}

/** React-admin's list controller, which follows a search letter by letter, around the parts of a list. */
export function ListScope(props: ListScopeProps) {
  return (
    <FollowsTyping value={true}>
      <Controller {...props} />
    </FollowsTyping>
  )
}

/**
 * The parts are drawn when what they show changes. The controller is drawn more often: a letter changes the address,
 * then a query begins, is answered, and is asked for once more because it may have aged.
 */
function Controller({ isWhole, children, ...props }: ListScopeProps) {
  const list = useSteadyList(useListController(props))
  const shown = useTogether(list, isWhole)
  return (
    <ListContext value={shown}>
      {/* What a person sets is seen at once, however long the rows take. */}
      <ListFilterContext value={usePickFilterContext(list)}>
        <ListSortContext value={usePickSortContext(list)}>
          <ListPaginationContext value={usePickPaginationContext(shown)}>
            <FollowsTyping value={false}>{children}</FollowsTyping>
          </ListPaginationContext>
        </ListSortContext>
      </ListFilterContext>
    </ListContext>
  )
}

/** The same object as long as what a list shows is the same. Of `isFetching` and its like it tells what was at its last change. */
function useSteadyList(list: ListControllerResult): ListControllerResult {
  const { data, total, error, isPending, isPlaceholderData, selectedIds, filterValues, sort, page, perPage } = list
  const functions = useSteadyFunctions(list)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rest of the list follows from these, and functions never change
  return useMemo(
    () => ({ ...list, ...functions }) as ListControllerResult,
    [data, total, error, isPending, isPlaceholderData, selectedIds, filterValues, sort, page, perPage],
  )
}

/** Functions that never change; each calls the newest of its name. */
function useSteadyFunctions(list: ListControllerResult): Partial<ListControllerResult> {
  const newest = useRef(list)
  useLayoutEffect(() => {
    newest.current = list
  })
  const [functions] = useState(() => {
    const names = Object.entries(list).flatMap(([name, value]) => (typeof value === 'function' ? [name] : []))
    const latest = (name: string) => (newest.current as unknown as Record<string, AnyFunction>)[name]
    return Object.fromEntries(names.map((name) => [name, (...parameters: unknown[]) => latest(name)?.(...parameters)]))
  })
  return functions
}

/** Rows, their number and their page change together: until the rows of a new query are there, the list stays as it is. */
function useTogether(list: ListControllerResult, isWhole: boolean): ListControllerResult {
  const shown = useRef(list)
  const isAwaited = isWhole && list.isPlaceholderData && shown.current.selectedIds === list.selectedIds
  if (!isAwaited) shown.current = list
  return shown.current
}
