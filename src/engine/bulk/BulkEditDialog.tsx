import Button from '@mui/material/Button'
import Checkbox from '@mui/material/Checkbox'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import FormControlLabel from '@mui/material/FormControlLabel'
import NativeSelect from '@mui/material/NativeSelect'
import OutlinedInput from '@mui/material/OutlinedInput'
import { styled } from '@mui/material/styles'
import { Suspense, useDeferredValue, useId, useMemo, useState } from 'react'
import { type RaRecord, useDataProvider } from 'react-admin'
import { FormProvider, useForm, useFormContext } from 'react-hook-form'
import { emptyValue } from '../../schemas/define/describe.ts'
import type { Values } from '../../schemas/define/values.ts'
import type { ActionDialogProps } from '../define/action.ts'
import { useScreen } from '../define/screen.ts'
import { SectionHeading } from '../form/sectionStyles.tsx'
import { ValueChange } from '../history/FieldValue.tsx'
import { inputs } from '../kinds/inputs.tsx'
import { describedBy, FieldFrame } from '../kinds/parts/kind.tsx'
import { PlanDialog } from './PlanDialog.tsx'
import {
  applyChange,
  type BulkField,
  type BulkPlan,
  bulkFields,
  type ChangeMode,
  commonValues,
  type FieldChange,
  type FieldChanges,
  planInSlices,
} from './planBulkEdit.ts'

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

const Ticked = styled('div')(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(1.5),
  margin: theme.spacing(0, 0, 1.5, 4),
  [theme.breakpoints.down('sm')]: { marginLeft: 0 },
  '& > .sample': { fontSize: 13, overflowWrap: 'anywhere', color: theme.vars.palette.text.secondary },
}))

/** What was chosen for a ticked field, beside the value in its input. */
interface TickedField {
  mode: ChangeMode
  /** The text to put in, or to find. */
  find: string
  text: string
}

interface BulkFieldInputProps {
  bulkField: BulkField
  /** Absent while the field is not ticked. */
  ticked?: TickedField
  records: readonly RaRecord[]
  onTick: (ticked: TickedField | undefined) => void
}

/** A field to tick; ticked, what to do with it and the input for that. */
function BulkFieldInput({ bulkField, ticked, records, onTick }: BulkFieldInputProps) {
  const { texts, translate, entity } = useScreen()
  const { field, modes, source, Input } = bulkField
  const id = useId()
  const label = texts.label(source)
  const [firstMode = 'set'] = modes
  const mode = ticked?.mode ?? firstMode
  const KindInput = inputs[field.kind]
  const isWhole = mode === 'set'
  const props = {
    // Nothing to add is no value of the record.
    field: isWhole ? field : { ...field, required: true },
    entity: entity.name,
    label,
    help: isWhole ? texts.help(source) : undefined,
  }
  return (
    <div>
      <FormControlLabel
        label={label}
        control={
          <Checkbox
            size="small"
            checked={ticked !== undefined}
            onChange={(_, checked) => onTick(checked ? { mode: firstMode, find: '', text: '' } : undefined)}
          />
        }
      />
      {ticked ? (
        <Ticked role="group" aria-label={label}>
          {modes.length > 1 ? (
            <NativeSelect
              input={<OutlinedInput size="small" notched={false} />}
              inputProps={{ id: `${id}-mode`, 'aria-label': translate('app.bulk.mode_of', { field: label }) }}
              value={mode}
              onChange={(event) => onTick({ ...ticked, mode: event.target.value as ChangeMode })}
            >
              {modes.map((one) => (
                <option key={one} value={one}>
                  {translate(`app.bulk.mode.${one}`)}
                </option>
              ))}
            </NativeSelect>
          ) : null}
          <Suspense>
            {mode === 'set' || mode === 'add' || mode === 'remove' ? (
              Input && isWhole ? (
                <Input source={source} {...props} />
              ) : (
                <KindInput {...props} />
              )
            ) : (
              <TextPart ticked={ticked} isLong={field.kind === 'multiline'} onChange={onTick} />
            )}
          </Suspense>
          {mode === 'replace' || mode === 'prefix' || mode === 'suffix' ? (
            <Sample bulkField={bulkField} change={textChange(ticked)} records={records} />
          ) : null}
        </Ticked>
      ) : null}
    </div>
  )
}

/** The change that texts without an input of the field make. */
const textChange = ({ mode, find, text }: TickedField): FieldChange =>
  mode === 'replace' ? { mode, find, text } : { mode: mode === 'prefix' ? 'prefix' : 'suffix', text }

interface TextPartProps {
  ticked: TickedField
  isLong: boolean
  onChange: (ticked: TickedField) => void
}

function TextPart({ ticked, isLong, onChange }: TextPartProps) {
  const { translate } = useScreen()
  const id = useId()
  const box = (key: 'find' | 'text', label: string) => (
    <FieldFrame id={`${id}-${key}`} label={translate(label)} required>
      <OutlinedInput
        id={`${id}-${key}`}
        size="small"
        multiline={isLong}
        maxRows={6}
        value={ticked[key]}
        onChange={(event) => onChange({ ...ticked, [key]: event.target.value })}
        slotProps={{ input: { 'aria-describedby': describedBy(`${id}-${key}`) } }}
      />
    </FieldFrame>
  )
  if (ticked.mode !== 'replace') return box('text', `app.bulk.${ticked.mode}_text`)
  return (
    <>
      {box('find', 'app.bulk.find')}
      {box('text', 'app.bulk.replace_text')}
    </>
  )
}

interface SampleProps {
  bulkField: BulkField
  change: FieldChange
  records: readonly RaRecord[]
}

/** How many records a text change concerns, and what it makes of the first of them. */
function Sample({ bulkField: { field, source }, change, records }: SampleProps) {
  const { translate, texts } = useScreen()
  const shown = useDeferredValue(change)
  const before = (record: RaRecord) => String(record[source] ?? '')
  const after = (record: RaRecord) => applyChange(field, before(record), shown)
  const concerned = records.filter((record) => after(record) !== before(record))
  const [first] = concerned
  return (
    <div className="sample" role="status">
      {translate('app.bulk.concerned', { what: texts.counted(concerned.length) })}{' '}
      {first ? <ValueChange name={source} before={before(first)} after={after(first)} /> : null}
    </div>
  )
}
