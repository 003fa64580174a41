import { useEffect, useState } from 'react'
import { type RaRecord, useDataProvider, useEvent, useListContext, useNotify } from 'react-admin'
import { everyRow } from '../../records/queryRows.ts'
import { PlanDialog } from '../bulk/PlanDialog.tsx'
import type { BulkPlan } from '../bulk/planBulkEdit.ts'
import { useScreen } from '../define/screen.ts'
import { evenIndexes, planOrder } from './orderIndexes.ts'

/** Makes the current sorting the manual order: all records get new numbers, those that a filter hides too. */
export default function RenumberDialog({ onClose }: { onClose: () => void }) {
  const { entity, meta, orderField = '', texts, translate } = useScreen()
  const { sort } = useListContext()
  const dataProvider = useDataProvider()
  const notify = useNotify()
  const [shown, setShown] = useState<BulkPlan>()
  // The list may be sorted anew while it is numbered.
  const [sorting] = useState(sort)
  const plan = useEvent(async () => {
    const params = { filter: {}, sort: sorting, pagination: everyRow, meta }
    const { data } = await dataProvider.getList<RaRecord>(entity.name, params)
    setShown(planOrder(orderField, data, evenIndexes))
  })
  useEffect(() => {
    plan().catch((error: Error) => {
      notify(error.message || 'app.toast.unexpected', { type: 'error' })
      onClose()
    })
  }, [plan, notify, onClose])
  const title = translate('app.order.renumber_title', { entity: texts.plural })
  return <PlanDialog title={title} plan={shown} onBack={onClose} onReview={plan} onClose={onClose} />
}
