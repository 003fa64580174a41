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
import { FollowsTyping } from './listRouter.tsx'

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
  const controller = useListController(props)
  const functions = useSteadyFunctions(controller)
  const list = { ...controller, ...functions } as ListControllerResult
  return (
    // What a person sets is seen at once, however long the rows take.
    <ListFilterContext value={usePickFilterContext(list)}>
      <ListSortContext value={usePickSortContext(list)}>
        <FollowsTyping value={false}>
          <Shown list={list} isAwaited={isWhole && list.isPlaceholderData === true}>
            {children}
          </Shown>
        </FollowsTyping>
      </ListSortContext>
    </ListFilterContext>
  )
}

interface ShownProps {
  list: ListControllerResult
  /** The rows are those of the query before. */
  isAwaited: boolean
  children: ReactNode
}

/**
 * Rows and the query that they answer change together: until the rows of a new query are there, the list says the old
 * one. It is the same object while what a list shows is the same; of `isFetching` and its like it tells what was then.
 */
function Shown({ list, isAwaited, children }: ShownProps) {
  const { data, total, error, isPending, selectedIds, filterValues, sort, page, perPage } = list
  const asked = useMemo(() => ({ filterValues, sort, page, perPage }), [filterValues, sort, page, perPage])
  const [answered, setAnswered] = useState(asked)
  const query = isAwaited ? answered : asked
  if (query !== answered) setAnswered(query)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rest of the list follows from these
  const shown = useMemo(
    () => ({ ...list, ...query }) as ListControllerResult,
    [data, total, error, isPending, selectedIds, query],
  )
  return (
    <ListContext value={shown}>
      <ListPaginationContext value={usePickPaginationContext(shown)}>{children}</ListPaginationContext>
    </ListContext>
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
