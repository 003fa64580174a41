import { styled } from '@mui/material/styles'
import { useTranslate } from 'react-admin'
import { describeField, type FieldDescription, type Kind } from '../../schemas/define/describe.ts'
import type { Entity } from '../../schemas/define/entity.ts'
import { useScreen } from '../define/screen.ts'
import { cells } from '../kinds/cells.tsx'
import { useFieldText } from './useFieldText.ts'

/** Kinds whose values are text, also of several lines. */
const textKinds: readonly Kind[] = ['text', 'multiline', 'url', 'list', 'json', 'secret']

const owner: FieldDescription = {
  name: 'user_id',
  kind: 'ref',
  to: 'user',
  editable: false,
  required: false,
  omittable: true,
  nullable: false,
}

/** The description of a field of a change: also of the owner, which is no field of the entity. */
export const changedFieldOf = (entity: Entity, name: string): FieldDescription | undefined =>
  describeField(entity, name) ?? (name === owner.name ? owner : undefined)

/** Whether a value is shown as text. */
export const isText = (entity: Entity, name: string) => textKinds.includes(changedFieldOf(entity, name)?.kind ?? 'text')

interface FieldValueProps {
  entity: Entity
  name: string
  value: unknown
}

/** A value of a field in words, whole, also when it is long or empty. */
export function FieldValue({ entity, name, value }: FieldValueProps) {
  const translate = useTranslate()
  const textOf = useFieldText(entity.name)
  const field = changedFieldOf(entity, name)
  if (isBlank(value)) return <Nothing>{translate('app.changes.nothing')}</Nothing>
  if (isText(entity, name)) return <Text>{textOf(name, value)}</Text>
  // A list shows only what is on; beside another value, off has to be said.
  if (field?.kind === 'flag') return translate(value ? 'ra.boolean.true' : 'ra.boolean.false')
  const { Cell } = cells[field?.kind ?? 'text']
  return <Cell value={value} entity={entity.name} field={field} />
}

const isBlank = (value: unknown) =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

const Text = styled('div')({
  maxHeight: '14em',
  overflow: 'auto',
  whiteSpace: 'pre-wrap',
  overflowWrap: 'anywhere',
})

const Nothing = styled('em')(({ theme }) => ({ color: theme.vars.palette.text.secondary, fontStyle: 'normal' }))

/** Characters that stand around a change, so that people see where it is. */
const context = 24

/**
 * Where two texts differ, with a few characters around it: in a note of a thousand lines the change would be out of
 * sight.
 */
export function changedPart(before: string, after: string): { before: string; after: string } {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start += 1
  let end = 0
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1
  const from = start > context ? outsidePair(before, start - context) : 0
  const rest = end > context ? end - context : 0
  const cut = (text: string) =>
    `${from > 0 ? '…' : ''}${text.slice(from, outsidePair(text, text.length - rest))}${rest > 0 ? '…' : ''}`.replaceAll(
      /\s*\n\s*/g,
      ' ⏎ ',
    )
  return { before: cut(before), after: cut(after) }
}

/** An emoji has two places in a text; a cut between them would leave neither readable. */
const outsidePair = (text: string, at: number) => (/[\uDC00-\uDFFF]/.test(text.charAt(at)) ? at - 1 : at)

const Change = styled('span')(({ theme }) => ({
  display: 'inline-flex',
  flexWrap: 'wrap',
  alignItems: 'baseline',
  gap: theme.spacing(0, 1),
  minWidth: 0,
  maxWidth: '100%',
  overflowWrap: 'anywhere',
  '& del, & ins': { minWidth: 0, maxWidth: '100%', textDecoration: 'none', whiteSpace: 'normal' },
  '& del': { color: theme.vars.palette.text.secondary, textDecoration: 'line-through' },
  '& ins': { color: theme.vars.palette.text.primary, fontWeight: 600 },
}))

interface ValueChangeProps {
  /** The name of the field. */
  name: string
  before: unknown
  after: unknown
}

/** Old → new in words; of texts, the part that differs. */
export function ValueChange({ name, before, after }: ValueChangeProps) {
  const { entity } = useScreen()
  const textOf = useFieldText(entity.name)
  const shown = isText(entity, name) ? changedPart(textOf(name, before), textOf(name, after)) : { before, after }
  return (
    <Change>
      <del>
        <FieldValue entity={entity} name={name} value={shown.before} />
      </del>
      <span aria-hidden>→</span>
      <ins>
        <FieldValue entity={entity} name={name} value={shown.after} />
      </ins>
    </Change>
  )
}
