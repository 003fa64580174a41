import Checkbox from '@mui/material/Checkbox'
import FormControlLabel from '@mui/material/FormControlLabel'
import NativeSelect from '@mui/material/NativeSelect'
import OutlinedInput from '@mui/material/OutlinedInput'
import { styled } from '@mui/material/styles'
import { Suspense, useDeferredValue, useId } from 'react'
import type { RaRecord } from 'react-admin'
import { useScreen } from '../define/screen.ts'
import { inputs } from '../kinds/inputs.tsx'
import { describedBy, FieldFrame } from '../kinds/parts/FieldFrame.tsx'
import { applyChange, type BulkField, type ChangeMode, type FieldChange } from './fieldChange.ts'
import { ValueChange } from './ValueChange.tsx'

const Ticked = styled('div')(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(1.5),
  margin: theme.spacing(0, 0, 1.5, 4),
  [theme.breakpoints.down('sm')]: { marginLeft: 0 },
  '& > .sample': { fontSize: 13, overflowWrap: 'anywhere', color: theme.vars.palette.text.secondary },
}))

/** What was chosen for a ticked field, beside the value in its input. */
export interface TickedField {
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
export function BulkFieldInput({ bulkField, ticked, records, onTick }: BulkFieldInputProps) {
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
export const textChange = ({ mode, find, text }: TickedField): FieldChange =>
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
