import { useRecordContext } from 'react-admin'
import { isReadOnly } from '../../schemas/define/readOnly.ts'
import { useScreen } from '../define/screen.ts'
import { IconAction } from '../parts/IconAction.tsx'
import { LineIcon } from '../parts/LineIcon.tsx'
import { dragRow } from './dragRow.ts'
import { useOrder } from './OrderByHand.tsx'
import './order.css'

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
