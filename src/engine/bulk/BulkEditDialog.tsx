import { useMemo, useState } from 'react'
import { useDataProvider } from 'react-admin'
import { FormProvider, useForm } from 'react-hook-form'
import type { Values } from '../../schemas/define/values.ts'
import type { ActionDialogProps } from '../define/action.ts'
import { useScreen } from '../define/screen.ts'
import { textChange } from './BulkFieldInput.tsx'
import { ChooseChanges, type TickedFields } from './ChooseChanges.tsx'
import type { FieldChange } from './fieldChange.ts'
import { PlanDialog } from './PlanDialog.tsx'
import { type BulkPlan, commonValues, type FieldChanges, planInSlices } from './planBulkEdit.ts'

/** Changes fields of many records at once. */
export default function BulkEditDialog({ records: selected, onClose }: ActionDialogProps) {
  const { definition, entity, texts, translate } = useScreen()
  const dataProvider = useDataProvider()
  const [records, setRecords] = useState(selected)
  const [ticked, setTicked] = useState<TickedFields>({})
  const [plan, setPlan] = useState<BulkPlan>()
  const form = useForm<Values>({ defaultValues: useMemo(() => commonValues(entity, selected), [entity, selected]) })
  const [isPlanning, setPlanning] = useState(false)
  const preview = async (of: typeof records) => {
    setPlanning(true)
    setPlan(await planInSlices(definition, of, changesOf(ticked, form.getValues())))
    setPlanning(false)
  }
  const isUnsaved = Object.values(ticked).some(Boolean)
  return (
    <PlanDialog
      title={translate('app.form.edit_title', { what: texts.what(records) })}
      plan={plan}
      isUnsaved={isUnsaved}
      onBack={() => setPlan(undefined)}
      onReview={async (ids) => {
        const { data } = await dataProvider.getMany(entity.name, { ids: [...ids] })
        setRecords(data)
        await preview(data)
      }}
      onClose={onClose}
    >
      <FormProvider {...form}>
        <ChooseChanges
          records={records}
          ticked={ticked}
          onTick={(field, next) => setTicked({ ...ticked, [field]: next })}
          onCancel={onClose}
          isPlanning={isPlanning}
          onPreview={() => void preview(records)}
        />
      </FormProvider>
    </PlanDialog>
  )
}

function changesOf(ticked: TickedFields, values: Values): FieldChanges {
  const changes = Object.entries(ticked).flatMap(([source, one]): [string, FieldChange][] => {
    if (!one) return []
    const { mode } = one
    const isValue = mode === 'set' || mode === 'add' || mode === 'remove'
    return [[source, isValue ? { mode, value: values[source] } : textChange(one)]]
  })
  return Object.fromEntries(changes)
}
