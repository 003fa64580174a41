import { memo, Suspense } from 'react'
import { type RaRecord, RecordContextProvider } from 'react-admin'
import type { Column } from '../define/column.ts'
import { useScreen } from '../define/screen.ts'
import { lazyPart } from '../parts/lazyPart.tsx'
import { FieldCell } from './row/FieldCell.tsx'
import { NameLink } from './row/NameLink.tsx'
import { RowActions } from './row/RowActions.tsx'
import type { OpenRow } from './row/useRowOpener.ts'
import { Checkbox } from './selection/Checkbox.tsx'
import type { ToggleRow } from './selection/useRangeSelection.ts'

const OrderHandle = lazyPart(() => import('../order/OrderHandle.tsx'), { isInRows: true })

interface RecordRowProps {
  record: RaRecord
  columns: readonly Column[]
  nameField: string
  selected: boolean
  onToggle: ToggleRow
  /** Absent where the record cannot be opened. */
  onOpen?: OpenRow
  /** Whether it can be dragged. */
  hasHandle: boolean
}

/** One row. It is redrawn only when its record or its selection changes; live cells update by themselves. */
export const RecordRow = memo(function RecordRow({
  record,
  columns,
  nameField,
  selected,
  onToggle,
  onOpen,
  hasHandle,
}: RecordRowProps) {
  const { opens, texts, translate, canSelect, hasRowActions } = useScreen()
  return (
    <RecordContextProvider value={record}>
      <tr
        data-row={record.id}
        aria-selected={canSelect ? selected : undefined}
        data-opens={onOpen && opens(record) ? '' : undefined}
        onClick={(event) => onOpen?.(event, record)}
      >
        {hasHandle ? (
          <td className="check">
            <Suspense>
              <OrderHandle />
            </Suspense>
          </td>
        ) : null}
        {canSelect ? (
          <td className="check">
            <Checkbox
              label={translate('app.list.select_row', { name: texts.nameOf(record) })}
              checked={selected}
              onChange={(event) => onToggle(record.id, (event.nativeEvent as MouseEvent).shiftKey)}
            />
          </td>
        ) : null}
        {columns.map((column) => {
          const cell = column.Cell ? <column.Cell /> : <FieldCell source={column.source} />
          return (
            <td key={column.source} className={column.align === 'end' ? 'end' : undefined}>
              {onOpen && column.source === nameField ? <NameLink>{cell}</NameLink> : cell}
            </td>
          )
        })}
        {hasRowActions ? (
          <td className="actions end">
            <RowActions />
          </td>
        ) : null}
      </tr>
    </RecordContextProvider>
  )
})
