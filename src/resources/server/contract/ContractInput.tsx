import Button from '@mui/material/Button'
import FormControlLabel from '@mui/material/FormControlLabel'
import OutlinedInput from '@mui/material/OutlinedInput'
import Switch from '@mui/material/Switch'
import { styled } from '@mui/material/styles'
import { useId, useState } from 'react'
import { useTranslate } from 'react-admin'
import { useFormState, useWatch } from 'react-hook-form'
import { ChoiceField } from '../../../components/inputs/plainFields.tsx'
import { quotaText } from '../../../domain/contract/bytesText.ts'
import { contractOfNote } from '../../../domain/contract/noteContract.ts'
import { readBytes } from '../../../domain/contract/readBytes.ts'
import { issueMessage } from '../../../engine/form/validate.ts'
import { describedBy, FieldFrame, fieldGrid, type InputProps, useField } from '../../../engine/kinds/parts/kind.tsx'
import { isObject, type Values } from '../../../schemas/define/values.ts'
import { type Contract, contract, contractCycles, quotaCounts } from '../../../schemas/machines/contract.ts'
import { server } from '../../../schemas/server.ts'
import { FormerPricesInput, storedContract, withPriceUntilToday } from './FormerPrices.tsx'

/** Price, end and traffic of a server: nothing, or a form of its own. */
export default function ContractInput({ field: description, help }: InputProps) {
  const translate = useTranslate()
  const { field, error } = useField<unknown>(description)
  const note: unknown = useWatch({ name: 'public_note' })
  const known = contractOfNote(String(note ?? ''))
  const value = isObject(field.value) ? field.value : undefined
  const { defaultValues } = useFormState({ name: description.name })
  const stored = storedContract(defaultValues?.[description.name])
  const set = (changes: Values) => {
    const next = { ...(value ?? contract.parse({})), ...changes }
    field.onChange(withPriceUntilToday(stored, value, next))
  }
  return (
    <Frame>
      {value ? (
        <ContractFields stored={stored} value={value} set={set} hasError={error !== undefined} />
      ) : (
        <p>{help}</p>
      )}
      <div>
        {value ? (
          <Button ref={field.ref} size="small" variant="outlined" color="inherit" onClick={() => field.onChange(null)}>
            {translate('app.contract.remove')}
          </Button>
        ) : (
          <Button ref={field.ref} size="small" variant="outlined" onClick={() => set({})}>
            {translate('app.contract.add')}
          </Button>
        )}
        {known ? (
          <Button size="small" variant="outlined" color="inherit" onClick={() => set(known)}>
            {translate('app.contract.from_note')}
          </Button>
        ) : null}
      </div>
    </Frame>
  )
}

interface FieldsProps {
  stored: Contract | undefined
  value: Values
  set: (changes: Values) => void
  hasError: boolean
}

function ContractFields({ stored, value, set, hasError }: FieldsProps) {
  const translate = useTranslate()
  const errors = hasError ? errorsOf(value, translate) : new Map<string, string>()
  const own = (name: string) => ({
    label: translate(`app.contract.fields.${name}`),
    value: value[name],
    error: errors.get(name),
    onChange: (next: unknown) => set({ [name]: next }),
  })
  const choice = (name: string, texts: string) => ({
    ...own(name),
    value: String(value[name]),
    textOf: (word: string) => translate(`app.contract.${texts}.${word}`),
  })
  return (
    <>
      <Grid>
        <TextField {...own('price')} read={readNumber} show={String} numeric />
        <TextField {...own('currency')} read={(text) => text.toUpperCase()} placeholder="EUR" />
        <ChoiceField {...choice('cycle', 'cycles')} choices={contractCycles} />
        <TextField {...own('ends_at')} show={dayOf} read={(day) => onDay(value.ends_at, day)} type="date" />
        <TextField {...own('quota_bytes')} show={quotaText} read={readQuota} placeholder="1 TB" />
        <ChoiceField {...choice('quota_counts', 'counts')} choices={quotaCounts} />
        <TextField {...own('resets_on')} read={readNumber} show={String} numeric />
        <TextField {...own('zone')} placeholder="Europe/Rome" />
        <TextField {...own('provider')} />
      </Grid>
      <FormerPricesInput stored={stored} value={value} set={set} />
      <FormControlLabel
        label={translate('app.contract.fields.renews')}
        slotProps={{ typography: { variant: 'body2' } }}
        control={<Switch size="small" checked={value.renews === true} onChange={(_, renews) => set({ renews })} />}
      />
      <TextField {...own('note')} multiline />
    </>
  )
}

interface TextFieldProps {
  label: string
  value: unknown
  error?: string
  onChange: (value: unknown) => void
  /** The value as a person types it. */
  show?: (value: unknown) => string
  /** What was typed as a value; what cannot be read stays as it is, and the schema refuses it. */
  read?: (text: string) => unknown
  type?: 'date'
  numeric?: boolean
  multiline?: boolean
  placeholder?: string
}

/** A line of text; it keeps what was typed while that means the value. */
function TextField(props: TextFieldProps) {
  const { label, value, error, onChange, show = asText, read = asIs, type, numeric, multiline, placeholder } = props
  const id = useId()
  const [typed, setTyped] = useState<string>()
  return (
    <FieldFrame id={id} label={label} required error={error}>
      <OutlinedInput
        id={id}
        size="small"
        type={type}
        multiline={multiline}
        minRows={multiline ? 2 : undefined}
        placeholder={placeholder}
        value={typed !== undefined && read(typed) === value ? typed : show(value)}
        error={error !== undefined}
        onChange={({ target }) => {
          setTyped(target.value)
          onChange(read(target.value))
        }}
        slotProps={{ input: { inputMode: numeric ? 'decimal' : undefined, 'aria-describedby': describedBy(id) } }}
      />
    </FieldFrame>
  )
}

const asText = (value: unknown) => String(value ?? '')
const asIs = (text: string): unknown => text

/** What is wrong with the fields of a contract, by their names. */
function errorsOf(value: Values, translate: ReturnType<typeof useTranslate>): Map<string, string> {
  const { error } = contract.safeParse(value, { reportInput: true })
  return new Map(
    (error?.issues ?? []).map((issue) => {
      const { message, args } = issueMessage({ ...issue, path: ['contract', ...issue.path] }, server, {})
      return [String(issue.path[0]), translate(message, args)]
    }),
  )
}

const Frame = styled('div')(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(1.5),
  '& > p': { margin: 0, fontSize: 13, color: theme.vars.palette.text.secondary },
  '& > div:last-child': { display: 'flex', flexWrap: 'wrap', gap: theme.spacing(1) },
}))

const Grid = styled('div')(fieldGrid(200))

/** The bytes of a text such as `1.5 TB`, 0 for none; the text itself where it says none. */
const readQuota = (text: string): number | string => (text.trim() === '' ? 0 : (readBytes(text) ?? text))

/** The number of a text with a point or a comma; the text itself where it is none. */
function readNumber(text: string): number | string {
  const number = Number(text.replace(',', '.'))
  return text.trim() === '' || Number.isNaN(number) ? text : number
}

/** The day of a moment, for an input of dates; empty for none. */
const dayOf = (moment: unknown) => /^\d{4}-\d\d-\d\d/.exec(String(moment ?? ''))?.[0] ?? ''

/** The same time on another day; a new one is the end of the day. */
function onDay(moment: unknown, day: string): string {
  if (day === '') return ''
  const time = /^\d{4}-\d\d-\d\d(T.+)$/.exec(String(moment ?? ''))?.[1]
  return `${day}${time ?? 'T23:59:59Z'}`
}
