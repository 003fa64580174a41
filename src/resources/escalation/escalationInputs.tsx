import RemoveIcon from '@mui/icons-material/DeleteOutlined'
import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import { styled } from '@mui/material/styles'
import ToggleButton from '@mui/material/ToggleButton'
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup'
import { Suspense, useId } from 'react'
import { useLocaleState, useTranslate, ValidationError } from 'react-admin'
import { ChoiceField, NumberField } from '../../components/inputs/plainFields.tsx'
import { weekdays } from '../../domain/timeOfDay.ts'
import { FieldFrame, fieldGrid, type InputProps, useField } from '../../engine/kinds/parts/kind.tsx'
import { LazyReferencePicker } from '../../engine/kinds/reference/LazyReferencePicker.ts'
import { maxSteps } from '../../schemas/escalation.ts'
import { weekdayNames } from './weekdayNames.ts'

/** A step while somebody fills it in. */
interface EditedStep {
  after_min?: unknown
  notification_group_id?: number
  rota_id?: number
}

/** Minutes between two steps, as a new one begins. */
const usualPause = 15

/** The steps of an escalation plan, one below the other. */
export function StepsInput({ field: description, label }: InputProps) {
  const translate = useTranslate()
  const { field, error } = useField<EditedStep[] | null>(description)
  const steps = field.value ?? []
  const set = (index: number, ...replaced: EditedStep[]) => field.onChange(steps.toSpliced(index, 1, ...replaced))
  const add = () => {
    const last = steps.at(-1)
    const after_min = last ? (Number(last.after_min) || 0) + usualPause : 0
    field.onChange([...steps, { after_min, ...(last?.rota_id === undefined ? {} : { rota_id: 0 }) }])
  }
  return (
    <Stack role="group" aria-label={label}>
      <strong>{label}</strong>
      {steps.map((step, index) => (
        <StepFields
          // Steps have no ids, only positions.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          key={index}
          number={index + 1}
          step={step}
          onChange={(next) => set(index, next)}
          onRemove={() => set(index)}
        />
      ))}
      {error ? (
        <Alert severity="error" role="alert">
          <ValidationError error={error} />
        </Alert>
      ) : null}
      {steps.length < maxSteps ? (
        <div>
          <Button ref={field.ref} variant="outlined" size="small" onClick={add}>
            {translate('resources.escalation.values.add')}
          </Button>
        </div>
      ) : null}
    </Stack>
  )
}

interface StepFieldsProps {
  /** Its position, from 1. */
  number: number
  step: EditedStep
  onChange: (step: EditedStep) => void
  onRemove: () => void
}

const receivers = { group: 'notification-group', duty: 'rota' } as const

function StepFields({ number, step, onChange, onRemove }: StepFieldsProps) {
  const translate = useTranslate()
  const titleId = useId()
  const text = (key: string) => translate(`resources.escalation.values.${key}`, { number })
  const kind = step.rota_id === undefined ? 'group' : 'duty'
  const { after_min, notification_group_id, rota_id } = step
  const chosen = (kind === 'group' ? notification_group_id : rota_id) || undefined
  const choose = ([id]: readonly number[]) =>
    onChange({ after_min, ...(kind === 'group' ? { notification_group_id: id } : { rota_id: id ?? 0 }) })
  return (
    <Frame aria-labelledby={titleId}>
      <header>
        <strong id={titleId}>{text('step')}</strong>
        <IconButton size="small" aria-label={text('remove')} onClick={onRemove}>
          <RemoveIcon fontSize="small" />
        </IconButton>
      </header>
      <Grid>
        <NumberField
          label={text('after')}
          value={after_min}
          onChange={(minutes) => onChange({ ...step, after_min: minutes })}
        />
        <ChoiceField
          label={text('tells')}
          value={kind}
          choices={['group', 'duty']}
          textOf={text}
          onChange={(next) => onChange(next === 'duty' ? { after_min, rota_id: 0 } : { after_min })}
        />
        <Suspense>
          <LazyReferencePicker
            key={kind}
            to={receivers[kind]}
            required
            label={translate(`resources.${receivers[kind]}.name`, { smart_count: 1 })}
            chosen={chosen === undefined ? [] : [chosen]}
            onChoose={choose}
          />
        </Suspense>
      </Grid>
    </Frame>
  )
}

const Stack = styled('div')({ display: 'grid', gap: 12, fontSize: 13 })

const Frame = styled('section')(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(1),
  padding: theme.spacing(1, 1.5, 1.5),
  border: `1px solid ${theme.vars.palette.divider}`,
  borderRadius: theme.shape.borderRadius,
  '& header': { display: 'flex', alignItems: 'center', justifyContent: 'space-between' },
}))

const Grid = styled('div')(fieldGrid(180))

/** Days of the week, as buttons. */
export function DaysInput({ field: description, label, help }: InputProps) {
  const [locale] = useLocaleState()
  const { id, field, error } = useField<string[] | null>(description)
  return (
    <FieldFrame id={id} label={label} help={help} required={description.required} error={error}>
      <ToggleButtonGroup
        id={id}
        size="small"
        value={field.value ?? []}
        aria-label={label}
        sx={{ flexWrap: 'wrap' }}
        onChange={(_, chosen: string[]) => field.onChange(weekdays.filter((day) => chosen.includes(day)))}
      >
        {weekdayNames(locale).map(({ day, name }) => (
          <ToggleButton key={day} value={day} sx={{ minWidth: 44 }}>
            {name}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
    </FieldFrame>
  )
}
