import { styled } from '@mui/material/styles'
import { useTranslate } from 'react-admin'
import { describeField, type FieldDescription, type Kind } from '../../schemas/define/describe.ts'
import type { Entity } from '../../schemas/define/entity.ts'
import { contractSettings } from '../../schemas/settings/contractSettings.ts'
import { cells } from '../kinds/cells.tsx'

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

/** Values of which a list of parts is a line each, by the names of entity and field. */
const linesOf: Readonly<Record<string, (value: unknown) => string[] | undefined>> = {
  'contract-setting.rates': (value) =>
    contractSettings.form.shape.rates.safeParse(value).data?.map(({ currency, rate }) => `${currency} ${rate}`),
}

/** A value of a text field as text. */
export function textOf(entity: Entity, name: string, value: unknown): string {
  const lines = linesOf[`${entity.name}.${name}`]?.(value)
  if (lines) return lines.join('\n')
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.join('\n')
  if (value === undefined || value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value, null, 1) : String(value)
}

interface FieldValueProps {
  entity: Entity
  name: string
  value: unknown
}

/** A value of a field in words, whole, also when it is long or empty. */
export function FieldValue({ entity, name, value }: FieldValueProps) {
  const translate = useTranslate()
  const field = changedFieldOf(entity, name)
  if (isBlank(value)) return <Nothing>{translate('app.changes.nothing')}</Nothing>
  if (isText(entity, name)) return <Text>{textOf(entity, name, value)}</Text>
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
