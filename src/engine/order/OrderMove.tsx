import { useEffect, useRef, useState } from 'react'
import { type Identifier, type RaRecord, useDataProvider, useEvent, useListContext, useNotify } from 'react-admin'
import { everyRow } from '../../records/queryRows.ts'
import { PlanDialog } from '../bulk/PlanDialog.tsx'
import type { BulkPlan } from '../bulk/planBulkEdit.ts'
import { useBulkRun } from '../bulk/useBulkRun.ts'
import { useScreen } from '../define/screen.ts'
import { equalColumn, equalRows, type Move, movedOrder, orderIndexes, planOrder } from './orderIndexes.ts'

/** More writes than these are shown before they are made: among records without numbers, a move numbers all above. */
const mostUnasked = 20

interface OrderMoveProps {
  id: Identifier
  move: Move
  /** Called with the name of the record and its place among the rows of the list. */
  onMoved: (place: { name: string; place: number; total: number }) => void
  onClose: () => void
}

/** Moves a record in the manual order, once, and draws nothing but the question where there is one. */
export default function OrderMove({ id, move, onMoved, onClose }: OrderMoveProps) {
  const { definition, entity, meta, orderField = '', texts, translate } = useScreen()
  const { filterValues: filter, sort: shownSort } = useListContext()
  const dataProvider = useDataProvider()
  const notify = useNotify()
  const { run } = useBulkRun()
  const [question, setQuestion] = useState<{ plan: BulkPlan; title: string }>()

  const byHand = { field: orderField, order: 'DESC' as const }
  const listed = async (matching: typeof filter, sort: typeof shownSort = byHand) => {
    const params = { filter: matching, sort, pagination: everyRow, meta }
    return (await dataProvider.getList<RaRecord>(entity.name, params)).data
  }
  const plan = async () => {
    const [all, shown] = await Promise.all([listed({}), listed(filter)])
    const order = movedOrder(all, equalRows(shown, id, equalColumn(definition.columns, shownSort)), id, move)
    return order && { plan: planOrder(orderField, order, orderIndexes, id), record: order.find((one) => isMoved(one)) }
  }
  const isMoved = (record: RaRecord) => String(record.id) === String(id)

  const start = useEvent(async () => {
    try {
      const planned = await plan()
      if (!planned?.record) return onClose()
      const { updates, refusals } = planned.plan
      if (refusals.length > 0 || updates.length > mostUnasked) {
        const title = translate('app.order.move_title', { what: texts.what([planned.record]) })
        return setQuestion({ plan: planned.plan, title })
      }
      const results = await run(updates)
      const failure = results.find(({ outcome }) => outcome !== 'changed')
      if (failure) notify(failure.outcome === 'failed' ? failure.message : 'app.order.conflict', { type: 'error' })
      const now = await listed(filter, shownSort)
      const place = now.findIndex(isMoved) + 1
      onMoved({ name: texts.nameOf(planned.record), place, total: now.length })
    } catch (error) {
      notify((error instanceof Error && error.message) || 'app.toast.unexpected', { type: 'error' })
    }
    onClose()
  })
  const isStarted = useRef(false)
  useEffect(() => {
    if (isStarted.current) return
    isStarted.current = true
    void start()
  }, [start])

  if (!question) return null
  return (
    <PlanDialog
      {...question}
      onBack={onClose}
      onReview={async () => {
        const planned = await plan()
        setQuestion({ ...question, plan: planned?.plan ?? { updates: [], refusals: [], unchanged: [] } })
      }}
      onClose={onClose}
    />
  )
}
