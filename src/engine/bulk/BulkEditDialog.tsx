import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import { useMemo, useState } from 'react'
import { type RaRecord, useDataProvider } from 'react-admin'
import { FormProvider, useForm, useFormContext } from 'react-hook-form'
import { emptyValue } from '../../schemas/define/describe.ts'
import type { Values } from '../../schemas/define/values.ts'
import type { ActionDialogProps } from '../define/action.ts'
import { useScreen } from '../define/screen.ts'
import { SectionHeading } from '../form/sectionStyles.ts'
import { BulkFieldInput, type TickedField, textChange } from './BulkFieldInput.tsx'
import { type BulkField, bulkFields, type FieldChange } from './fieldChange.ts'
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

type TickedFields = Readonly<Record<string, TickedField | undefined>>

interface ChooseChangesProps {
  records: readonly RaRecord[]
  ticked: TickedFields
  onTick: (field: string, ticked: TickedField | undefined) => void
  /** While the preview is being made. */
  isPlanning: boolean
  onCancel: () => void
  onPreview: () => void
}

/** The first step: which fields change, and how. */
function ChooseChanges({ records, ticked, onTick, isPlanning, onCancel, onPreview }: ChooseChangesProps) {
  const { definition, texts, translate } = useScreen()
  const { resetField } = useFormContext()
  const sections = useMemo(() => bulkFields(definition, records), [definition, records])
  const tick = ({ source, field }: BulkField, next: TickedField | undefined) => {
    const isPart = next?.mode === 'add' || next?.mode === 'remove'
    const wasPart = ticked[source]?.mode === 'add' || ticked[source]?.mode === 'remove'
    // The whole value starts with what all records have, a part of it with nothing.
    if (next && isPart && !wasPart) resetField(source, { defaultValue: emptyValue(field.kind) })
    onTick(source, next)
  }
  const isAnyTicked = Object.values(ticked).some(Boolean)
  return (
    <>
      <DialogContent dividers>
        {sections.map(({ section, fields }) => (
          <section key={`${section} ${fields[0]?.source}`}>
            {section ? <SectionHeading>{texts.section(section)}</SectionHeading> : null}
            {fields.map((bulkField) => (
              <BulkFieldInput
                key={bulkField.source}
                bulkField={bulkField}
                ticked={ticked[bulkField.source]}
                records={records}
                onTick={(next) => tick(bulkField, next)}
              />
            ))}
          </section>
        ))}
      </DialogContent>
      <DialogActions>
        <Button onClick={onCancel}>{translate('app.action.cancel')}</Button>
        <Button variant="contained" disabled={!isAnyTicked} loading={isPlanning} onClick={onPreview}>
          {translate('app.bulk.preview')}
        </Button>
      </DialogActions>
    </>
  )
}
