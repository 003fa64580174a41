import './order.css'
import { useRecordContext } from 'react-admin'
import { isReadOnly } from '../../schemas/define/access.ts'
import { useScreen } from '../define/screen.ts'
import { IconAction, LineIcon } from '../parts/LineIcon.tsx'
import { useOrder } from './OrderByHand.tsx'

/** Moves its row: dragged, or with Alt and an arrow key. */
export default function OrderHandle() {
  const record = useRecordContext()
  const { texts, translate } = useScreen()
  const { move } = useOrder()
  if (!record || isReadOnly(record)) return null
  const label = translate('app.order.handle', { name: texts.nameOf(record) })
  return (
    <IconAction
      data-order-handle
      aria-label={label}
      title={translate('app.order.handle_help')}
      onPointerDown={(event) => {
        if (event.button === 0) dragRow(event.nativeEvent, (of, side) => move(record.id, { side, of }))
      }}
    >
      <LineIcon>
        <path d="M3 5.5h10M3 8h10M3 10.5h10" />
      </LineIcon>
    </IconAction>
  )
}

type Side = 'before' | 'after'

/** Pixels from the edge of the window in which it scrolls, and by how much with each move. */
const scrollEdge = 60
const scrollStep = 16

/**
 * Drags the row of a handle until the pointer is released; a line shows where the row would go. Escape, and a gesture
 * that the browser takes over, leave it where it is.
 *
 * @param start the pointer that went down on the handle
 * @param onDrop called with the `data-row` of another row, and on which side of it the dragged row goes
 */
function dragRow(start: PointerEvent, onDrop: (row: string, side: Side) => void): void {
  const handle = start.target as HTMLElement
  const dragged = handle.closest<HTMLElement>('[data-row]')
  if (!dragged?.parentElement) return
  const rows = [...dragged.parentElement.querySelectorAll<HTMLElement>(':scope > [data-row]')]
  const ending = new AbortController()
  let target: { row: HTMLElement; side: Side } | undefined

  const aim = (next: typeof target) => {
    delete target?.row.dataset.drop
    target = next
    if (target) target.row.dataset.drop = target.side
  }
  const end = () => {
    ending.abort()
    delete dragged.dataset.dragged
    aim(undefined)
  }
  const onMove = ({ clientY }: PointerEvent) => {
    if (clientY < scrollEdge) window.scrollBy(0, -scrollStep)
    else if (clientY > window.innerHeight - scrollEdge) window.scrollBy(0, scrollStep)
    const row = rows.find((one) => clientY < one.getBoundingClientRect().bottom) ?? rows.at(-1)
    if (!row || row === dragged) return aim(undefined)
    const { top, height } = row.getBoundingClientRect()
    aim({ row, side: clientY < top + height / 2 ? 'before' : 'after' })
  }
  const onUp = () => {
    const { row, side } = target ?? {}
    end()
    if (row?.dataset.row && side) onDrop(row.dataset.row, side)
  }

  // Moves outside of the handle are reported to it too.
  handle.setPointerCapture(start.pointerId)
  dragged.dataset.dragged = ''
  const { signal } = ending
  handle.addEventListener('pointermove', onMove, { signal })
  handle.addEventListener('pointerup', onUp, { signal })
  handle.addEventListener('pointercancel', end, { signal })
  document.addEventListener('keydown', ({ key }) => key === 'Escape' && end(), { signal })
}
