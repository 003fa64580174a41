import './flag.css'
import { styled } from '@mui/material/styles'
import { useLocaleState, useTranslate } from 'react-admin'
import { formatDateTime } from '../../components/format/format.ts'
import type { Kind } from '../../schemas/define/describe.ts'
import { fieldsIn } from '../../schemas/define/values.ts'
import { endsOf, isNoTime, timeOf } from '../../schemas/formats/time.ts'
import type { CellProps, FilterTextProps, KindCell } from './parts/kind.tsx'
import { NameFilterText, NamesCell } from './reference/useNames.tsx'

export const asText = (value: unknown) => (value === null || value === undefined ? '' : String(value))

const Ellipsis = styled('span')({ display: 'block', overflow: 'hidden', textOverflow: 'ellipsis' })

export function TextCell({ value }: CellProps) {
  const text = asText(value)
  return <Ellipsis title={text}>{text}</Ellipsis>
}

/** Dots, whatever is stored. */
const SecretCell = ({ value }: CellProps) => (value ? '••••••••' : null)

/** How each kind of field is shown in lists. Apart from `inputs.tsx`, because a list must not load what forms need. */
export const cells: Record<Kind, KindCell> = {
  text: { Cell: TextCell },
  multiline: { Cell: TextCell },
  url: { Cell: TextCell },
  secret: { Cell: SecretCell },
  number: { Cell: NumberCell },
  flag: { Cell: FlagCell, FilterText: FlagFilterText },
  choice: { Cell: ChoiceCell, FilterText: ChoiceFilterText },
  ref: { Cell: NamesCell, FilterText: NameFilterText },
  refs: { Cell: NamesCell, FilterText: NameFilterText },
  idSet: { Cell: IdSetCell, FilterText: NameFilterText },
  list: { Cell: ListCell },
  json: { Cell: JsonCell },
  moment: { Cell: MomentCell, FilterText: RangeFilterText },
}

function IdSetCell(props: CellProps) {
  const chosen = Object.entries(fieldsIn(props.value)).filter(([, on]) => on)
  return <NamesCell {...props} value={chosen.map(([key]) => Number(key))} />
}

function JsonCell(props: CellProps) {
  return <TextCell {...props} value={props.value ? JSON.stringify(props.value) : ''} />
}

function ListCell(props: CellProps) {
  return <TextCell {...props} value={Array.isArray(props.value) ? props.value.join(', ') : props.value} />
}

function NumberCell({ value, field }: CellProps) {
  const [locale] = useLocaleState()
  if (typeof value !== 'number') return null
  return field?.name === 'id' ? String(value) : value.toLocaleString(locale)
}

export function FlagCell({ value }: CellProps) {
  const translate = useTranslate()
  if (!value) return <span className="visually-hidden">{translate('ra.boolean.false')}</span>
  return (
    <svg className="flag-cell" role="img" viewBox="0 0 24 24">
      <title>{translate('ra.boolean.true')}</title>
      <path d="M9 16.2 4.8 12l-1.4 1.4L9 19 21 7l-1.4-1.4z" />
    </svg>
  )
}

function FlagFilterText({ value }: FilterTextProps) {
  const translate = useTranslate()
  return translate(`ra.boolean.${value}`)
}

/** Gives the text of a code, and `unknown (9)` for one that this console does not know. */
export function useChoiceText(entity: string) {
  const translate = useTranslate()
  return (field: string, name: string | undefined, code: unknown) =>
    name !== undefined
      ? translate(`resources.${entity}.choices.${field}.${name}`)
      : code === undefined || code === null
        ? ''
        : translate('app.list.unknown_code', { code })
}

function ChoiceCell({ value, entity, field }: CellProps) {
  const textOf = useChoiceText(entity)
  return textOf(field?.name ?? '', field?.choices?.[String(value ?? 0)], value)
}

function ChoiceFilterText({ value, entity, field }: FilterTextProps) {
  const textOf = useChoiceText(entity)
  return textOf(field.name, field.choices?.[value], value)
}

/** A point in time in the zone of this browser; the exact value on hover. */
export function MomentCell({ value }: CellProps) {
  const [locale] = useLocaleState()
  const translate = useTranslate()
  if (!value) return null
  if (isNoTime(value)) return translate('app.duration.never')
  const at = timeOf(value)
  if (at === undefined) return String(value)
  return (
    <time dateTime={String(value)} title={String(value)}>
      {formatDateTime(at, locale)}
    </time>
  )
}

/** A range of time; an end that is open is '…'. */
function RangeFilterText({ value }: FilterTextProps) {
  const [locale] = useLocaleState()
  const ends = endsOf(value).map((end) => {
    const at = timeOf(end)
    return at === undefined ? '…' : formatDateTime(at, locale)
  })
  return ends.join(' – ')
}
