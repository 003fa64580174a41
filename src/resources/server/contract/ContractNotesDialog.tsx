import { useState } from 'react'
import { type RaRecord, useDataProvider } from 'react-admin'
import { contractOfNote } from '../../../domain/contract/noteContract.ts'
import { PlanDialog } from '../../../engine/bulk/PlanDialog.tsx'
import type { BulkPlan } from '../../../engine/bulk/planBulkEdit.ts'
import type { ActionDialogProps } from '../../../engine/define/action.ts'
import { useScreen } from '../../../engine/define/screen.ts'
import { valuesOf } from '../../../engine/form/validate.ts'
import { isReadOnly } from '../../../schemas/define/access.ts'
import { isObject, sameValue, type Values } from '../../../schemas/define/values.ts'
import { contract } from '../../../schemas/machines/contract.ts'
import { server } from '../../../schemas/server.ts'

/** Takes over into contracts what the public notes of servers say of price, end and traffic; with a preview. */
export default function ContractNotesDialog({ records, onClose }: ActionDialogProps) {
  const { texts, translate } = useScreen()
  const dataProvider = useDataProvider()
  const [plan, setPlan] = useState(() => planOf(records))
  return (
    <PlanDialog
      title={translate('resources.server.actions.contract.title', { what: texts.what(records) })}
      plan={plan}
      onBack={onClose}
      onReview={async (ids) => {
        const { data } = await dataProvider.getMany(server.name, { ids: [...ids] })
        setPlan(planOf(data))
      }}
      onClose={onClose}
    />
  )
}

function planOf(records: readonly RaRecord[]): BulkPlan {
  const plan: BulkPlan = { updates: [], refusals: [], unchanged: [] }
  for (const record of records) {
    const known = contractOfNote(String(record.public_note ?? ''))
    // Without them, the server keeps what it cost until now.
    const { former_prices: _, ...stored }: Values = isObject(record.contract) ? record.contract : {}
    const taken = known && contract.safeParse({ ...stored, ...known }).data
    if (isReadOnly(record)) plan.refusals.push({ record, reasons: [{ message: 'app.form.read_only' }] })
    else if (taken === undefined || sameValue(taken, stored)) plan.unchanged.push(record)
    else plan.updates.push({ record, before: valuesOf(server, record), data: { contract: taken } })
  }
  return plan
}
