import ClearIcon from '@mui/icons-material/Clear'
import IconButton from '@mui/material/IconButton'
import InputAdornment from '@mui/material/InputAdornment'
import OutlinedInput from '@mui/material/OutlinedInput'
import { styled } from '@mui/material/styles'
import { type RefCallback, useRef, useState } from 'react'
import { useTranslate } from 'react-admin'
import { endsOf, rangeOf, timeOf } from '../../../schemas/formats/time.ts'
import { describedBy, FieldFrame, type FilterProps, type InputProps, useField } from '../parts/kind.tsx'
import { editedTime, toLocalText, zoneText } from './dateTime.ts'

/** Stands for a date of which a part is still missing: browsers hand over an empty text for it. No schema takes it. */
const incomplete = 'incomplete'

interface DateTimeBoxProps {
  id: string
  /** RFC 3339, or empty. */
  value: unknown
  onChange: (value: unknown) => void
  onBlur?: () => void
  inputRef?: RefCallback<HTMLInputElement>
  isRequired?: boolean
  isInvalid?: boolean
  'aria-describedby'?: string
  'aria-labelledby'?: string
}

/**
 * The browser's own input for date and time, on the clock of this browser, to the second. It is typed part by part or
 * picked from a calendar. An untouched value stays as it came, byte for byte.
 */
function DateTimeBox(props: DateTimeBoxProps) {
  const { id, value, onChange, onBlur, inputRef, isRequired, isInvalid } = props
  const translate = useTranslate()
  const box = useRef<HTMLInputElement>(null)
  const [opened] = useState(value)
  // While somebody types, the text stays as typed: a time that clocks skip would else jump in between.
  const [typed, setTyped] = useState<{ text: string; value: unknown }>()
  const text = typed && typed.value === value ? typed.text : toLocalText(value)

  const change = (next: string) => {
    const edited = next === '' && box.current?.validity.badInput ? incomplete : editedTime(next, opened, value)
    setTyped({ text: next, value: edited })
    onChange(edited)
  }
  /** Browsers announce a change only when the date is whole, or is whole no longer. */
  const checkParts = () => {
    const isIncomplete = box.current?.validity.badInput === true
    if (isIncomplete !== (value === incomplete)) change(box.current?.value ?? '')
  }
  const clear = () => {
    if (!box.current) return
    // Parts that are already there, too: to React the box of an incomplete date is empty.
    box.current.value = ''
    change('')
    box.current.focus()
  }

  return (
    <OutlinedInput
      id={id}
      size="small"
      type="datetime-local"
      value={text}
      error={isInvalid}
      inputRef={(element: HTMLInputElement | null) => {
        box.current = element
        inputRef?.(element)
      }}
      onChange={(event) => change(event.target.value)}
      onKeyUp={checkParts}
      onBlur={() => {
        checkParts()
        setTyped(undefined)
        onBlur?.()
      }}
      slotProps={{
        input: {
          'aria-describedby': props['aria-describedby'],
          'aria-labelledby': props['aria-labelledby'],
          'aria-required': isRequired,
          step: 1,
          max: '9999-12-31T23:59:59',
        },
      }}
      endAdornment={
        text || value === incomplete ? (
          <InputAdornment position="end">
            <IconButton size="small" edge="end" aria-label={translate('ra.action.clear_input_value')} onClick={clear}>
              <ClearIcon fontSize="small" />
            </IconButton>
          </InputAdornment>
        ) : undefined
      }
    />
  )
}

/** A date with its time, and the zone in which it is shown. */
export function MomentInput({ field: description, label, help }: InputProps) {
  const { id, field, error } = useField<unknown>(description)
  return (
    <FieldFrame
      id={id}
      label={label}
      help={[help, zoneText(field.value)].filter(Boolean).join(' ')}
      required={description.required}
      error={error}
    >
      <DateTimeBox
        id={id}
        value={field.value}
        onChange={field.onChange}
        onBlur={field.onBlur}
        inputRef={field.ref}
        isRequired={description.required}
        isInvalid={Boolean(error)}
        aria-describedby={describedBy(id)}
      />
    </FieldFrame>
  )
}

const Range = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'auto minmax(0, 1fr)',
  gap: theme.spacing(1),
  alignItems: 'center',
}))

/** From one point in time to another; either end may be open. */
export function RangeFilter({ id, labelId, value, onChange }: FilterProps) {
  const translate = useTranslate()
  const [from, to] = endsOf(value)
  const ends = [
    { name: 'from', end: from, withEnd: (end: string) => rangeOf(end, to) },
    { name: 'to', end: to, withEnd: (end: string) => rangeOf(from, end) },
  ]
  return (
    <Range role="group" aria-labelledby={labelId}>
      {ends.map(({ name, end, withEnd }) => (
        <RangeEnd key={name}>
          <span id={`${id}-${name}`}>{translate(`app.list.${name}`)}</span>
          <DateTimeBox
            id={name === 'from' ? id : `${id}-end`}
            value={end}
            aria-labelledby={`${labelId} ${id}-${name}`}
            onChange={(next) => {
              // A date of which a part is missing is no end yet.
              const range = withEnd(timeOf(next) === undefined ? '' : String(next))
              if (range !== value) onChange(range)
            }}
          />
        </RangeEnd>
      ))}
    </Range>
  )
}

const RangeEnd = styled('div')({ display: 'contents' })
