import { createContext, type ReactNode, Suspense, use, useEffect, useMemo, useRef, useState } from 'react'
import { type Identifier, useEvent, useListContext, useNotify } from 'react-admin'
import { useScreen } from '../define/screen.ts'
import { lazyPart } from '../parts/lazyPart.tsx'
import { equalColumn, type Move } from './orderIndexes.ts'

const OrderMove = lazyPart(() => import('./OrderMove.tsx'))
const RenumberDialog = lazyPart(() => import('./RenumberDialog.tsx'))

interface Order {
  /** Whether people may order these records by hand. */
  isOffered: boolean
  /** Whether the list is in that order, as a whole or among rows that are equal otherwise, so that rows can be moved. */
  isSorted: boolean
  /** Whether rows have a handle to drag them by. */
  hasHandles: boolean
  /** Shows the handles, and the list in its order; or hides them again. */
  toggleHandles: () => void
  move: (id: Identifier, move: Move) => void
  renumber: () => void
}

const none = () => {}
const OrderContext = createContext<Order>({
  isOffered: false,
  isSorted: false,
  hasHandles: false,
  toggleHandles: none,
  move: none,
  renumber: none,
})

/** How the records of the list are ordered by hand. */
export const useOrder = () => use(OrderContext)

interface Request {
  number: number
  id: Identifier
  move: Move
}

/**
 * Moves rows of a list that is in manual order, one after the other: Alt with an arrow key moves the row that has the
 * focus. Screen readers hear where a row is now, and the focus stays on it.
 */
export function OrderByHand({ children }: { children: ReactNode }) {
  const { orderField, definition, translate } = useScreen()
  const { data, sort, setSort } = useListContext()
  const notify = useNotify()
  const [wantsHandles, setWantsHandles] = useState(false)
  const [isRenumbering, setRenumbering] = useState(false)
  const [requests, setRequests] = useState<readonly Request[]>([])
  const [message, setMessage] = useState('')
  const toFocus = useRef<{ id: Identifier; isHandle: boolean }>(undefined)
  // Older servers do not have the field.
  const isOffered = orderField !== undefined && (data ?? []).every((row) => orderField in row)
  const isByHand = isOffered && sort.field === orderField && sort.order === 'DESC'
  const isSorted = isByHand || (isOffered && equalColumn(definition.columns, sort) !== undefined)
  const hasHandles = isByHand && wantsHandles

  const move = useEvent((id: Identifier, where: Move) => {
    const isHandle = document.activeElement?.matches('[data-order-handle]') === true
    toFocus.current = { id, isHandle }
    setRequests((waiting) => [...waiting, { number: (waiting.at(-1)?.number ?? 0) + 1, id, move: where }])
  })
  const toggleHandles = useEvent(() => {
    if (orderField && !isByHand) setSort({ field: orderField, order: 'DESC' })
    setWantsHandles(!hasHandles)
  })
  const onKey = useEvent((event: KeyboardEvent) => {
    const row = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-row]') : null
    const isArrow = event.key === 'ArrowUp' || event.key === 'ArrowDown'
    if (!row?.dataset.row || !event.altKey || !isArrow || !isOffered) return
    event.preventDefault()
    if (isSorted) move(row.dataset.row, event.key === 'ArrowUp' ? 'up' : 'down')
    else notify('app.order.how', { type: 'info' })
  })
  useEffect(() => {
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [onKey])

  // A row that is moved in the page loses the focus.
  // biome-ignore lint/correctness/useExhaustiveDependencies: new rows are what moves it
  useEffect(() => {
    const focus = toFocus.current
    if (!focus || document.activeElement !== document.body) return
    const row = document.querySelector(`[data-row="${CSS.escape(String(focus.id))}"]`)
    row?.querySelector<HTMLElement>(focus.isHandle ? '[data-order-handle]' : '.name-link')?.focus()
  }, [data])

  const order = useMemo<Order>(
    () => ({ isOffered, isSorted, hasHandles, toggleHandles, move, renumber: () => setRenumbering(true) }),
    [isOffered, isSorted, hasHandles, toggleHandles, move],
  )
  const [request] = requests
  return (
    <OrderContext value={order}>
      {children}
      {isOffered ? (
        <span role="status" className="visually-hidden">
          {message}
        </span>
      ) : null}
      <Suspense>
        {request ? (
          <OrderMove
            key={request.number}
            id={request.id}
            move={request.move}
            onMoved={(place) => setMessage(translate('app.order.moved', place))}
            onClose={() => setRequests((waiting) => waiting.slice(1))}
          />
        ) : null}
        {isRenumbering ? <RenumberDialog onClose={() => setRenumbering(false)} /> : null}
      </Suspense>
    </OrderContext>
  )
}
