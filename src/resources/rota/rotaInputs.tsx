import UpIcon from '@mui/icons-material/ArrowUpward'
import RemoveIcon from '@mui/icons-material/DeleteOutlined'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import OutlinedInput from '@mui/material/OutlinedInput'
import { styled } from '@mui/material/styles'
import { Suspense, useEffect, useId } from 'react'
import { useTranslate } from 'react-admin'
import { FieldFrame, type InputProps, useField } from '../../engine/kinds/parts/kind.tsx'
import { usePersonName } from '../../engine/kinds/reference/usePersonName.ts'
import { useIdentity } from '../../engine/parts/identity.tsx'
import { allows } from '../../schemas/define/access.ts'
import { user } from '../../schemas/user.ts'
import { PersonPicker } from './RotaPeople.tsx'

/** The people of a rota in their turn. Members can choose nobody but themselves. */
export function PeopleInput({ field: description, label, help }: InputProps) {
  const translate = useTranslate()
  const { id, field, error } = useField<number[] | null>(description)
  const { identity } = useIdentity()
  const mayChoose = allows(identity?.role, user.access.list)
  const people = field.value ?? []
  const nameOf = usePersonName(people)
  const own = mayChoose ? undefined : Number(identity?.id) || undefined
  const isEmpty = people.length === 0
  const { onChange } = field
  useEffect(() => {
    if (own !== undefined && isEmpty) onChange([own])
  }, [own, isEmpty, onChange])
  const text = (key: string, person: number) => translate(`resources.rota.values.${key}`, { name: nameOf(person) })
  return (
    <FieldFrame
      id={id}
      label={label}
      help={mayChoose ? help : translate('resources.rota.values.only_you')}
      required
      error={error}
    >
      <List>
        {people.map((person, index) => (
          // Somebody may have two turns.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          <li key={`${person} ${index}`}>
            <span>{nameOf(person)}</span>
            {mayChoose ? (
              <>
                <IconButton
                  size="small"
                  disabled={index === 0}
                  aria-label={text('up', person)}
                  onClick={() => onChange(people.toSpliced(index, 1).toSpliced(index - 1, 0, person))}
                >
                  <UpIcon fontSize="small" />
                </IconButton>
                <IconButton
                  size="small"
                  aria-label={text('remove', person)}
                  onClick={() => onChange(people.toSpliced(index, 1))}
                >
                  <RemoveIcon fontSize="small" />
                </IconButton>
              </>
            ) : null}
          </li>
        ))}
      </List>
      {mayChoose ? (
        <Suspense>
          <PersonPicker
            // Empty again after each choice.
            key={people.length}
            label={translate('resources.rota.values.add')}
            chosen={undefined}
            onChoose={(person) => person && onChange([...people, person])}
          />
        </Suspense>
      ) : null}
    </FieldFrame>
  )
}

const List = styled('ol')(({ theme }) => ({
  margin: theme.spacing(0, 0, 1),
  paddingLeft: theme.spacing(3),
  fontSize: 14,
  '& li > span': { display: 'inline-block', minWidth: 160, maxWidth: 'calc(100% - 80px)', overflowWrap: 'anywhere' },
}))

/** An override while somebody fills it in. */
interface EditedOverride {
  from: string
  to: string
  user_id?: number
}

/** The days on which somebody else is on duty. */
export function OverridesInput({ field: description, label, help }: InputProps) {
  const translate = useTranslate()
  const { id, field, error } = useField<EditedOverride[] | null>(description)
  const { identity } = useIdentity()
  const mayChoose = allows(identity?.role, user.access.list)
  const overrides = field.value ?? []
  const set = (index: number, ...replaced: EditedOverride[]) =>
    field.onChange(overrides.toSpliced(index, 1, ...replaced))
  const add = () =>
    field.onChange([...overrides, { from: '', to: '', ...(mayChoose ? {} : { user_id: Number(identity?.id) }) }])
  return (
    <FieldFrame id={id} label={label} help={help} required={description.required} error={error}>
      <Stack>
        {overrides.map((override, index) => (
          <OverrideFields
            // Overrides have no ids, only positions.
            // biome-ignore lint/suspicious/noArrayIndexKey: see above
            key={index}
            number={index + 1}
            override={override}
            mayChoose={mayChoose}
            onChange={(next) => set(index, next)}
            onRemove={() => set(index)}
          />
        ))}
        <div>
          <Button id={id} ref={field.ref} variant="outlined" size="small" onClick={add}>
            {translate('resources.rota.values.add_override')}
          </Button>
        </div>
      </Stack>
    </FieldFrame>
  )
}

interface OverrideFieldsProps {
  /** Its position, from 1. */
  number: number
  override: EditedOverride
  mayChoose: boolean
  onChange: (override: EditedOverride) => void
  onRemove: () => void
}

function OverrideFields({ number, override, mayChoose, onChange, onRemove }: OverrideFieldsProps) {
  const translate = useTranslate()
  const nameOf = usePersonName(override.user_id ? [override.user_id] : [])
  const text = (key: string) => translate(`resources.rota.values.${key}`, { number })
  return (
    <Frame aria-label={text('override')}>
      <Day label={text('first_day')} value={override.from} onChange={(from) => onChange({ ...override, from })} />
      <Day
        label={text('last_day')}
        value={override.to}
        least={override.from}
        onChange={(to) => onChange({ ...override, to })}
      />
      {mayChoose ? (
        <Suspense>
          <PersonPicker
            label={text('person')}
            chosen={override.user_id}
            onChoose={(user_id) => onChange({ ...override, user_id })}
          />
        </Suspense>
      ) : (
        <p>{override.user_id ? nameOf(override.user_id) : null}</p>
      )}
      <IconButton size="small" aria-label={text('remove_override')} onClick={onRemove}>
        <RemoveIcon fontSize="small" />
      </IconButton>
    </Frame>
  )
}

interface DayProps {
  label: string
  value: string
  /** No day before this one. */
  least?: string
  onChange: (day: string) => void
}

function Day({ label, value, least, onChange }: DayProps) {
  const id = useId()
  return (
    <FieldFrame id={id} label={label} required>
      <OutlinedInput
        id={id}
        type="date"
        size="small"
        value={value}
        slotProps={{ input: { min: least || undefined } }}
        onChange={(event) => onChange(event.target.value)}
      />
    </FieldFrame>
  )
}

const Stack = styled('div')({ display: 'grid', gap: 8 })

const Frame = styled('section')(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(1),
  gridTemplateColumns: 'repeat(2, minmax(130px, 1fr)) minmax(140px, 2fr) auto',
  alignItems: 'center',
  [theme.breakpoints.down('sm')]: { gridTemplateColumns: 'minmax(0, 1fr)' },
}))
