import { use } from 'react'
import { type RaRecord, useListContext, useRecordContext } from 'react-admin'
import { describeField, type FieldDescription } from '../../schemas/describe.ts'
import type { FieldItem } from './defineResource.ts'
import { isNotCopied, OriginalContext } from './duplicate.ts'
import { inputs } from './kinds/inputs.tsx'
import { useScreen } from './screen.ts'

/** One field of a form: its input, and what has to be said about values that the server does not show. */
export function FormField({ source, Input }: FieldItem) {
  const { entity, texts, translate } = useScreen()
  const record = useRecordContext()
  const original = use(OriginalContext)
  const field = describeField(entity, source)
  const isKnown = useIsKnown(field)
  if (!field || !isKnown) return null
  const concealed = record && concealment(field, record)
  const said = [
    texts.help(source),
    concealed && translate(hints[concealed]),
    original && isNotCopied(field, original) && translate('app.form.not_copied'),
  ]
    .filter(Boolean)
    .join(' ')
  const props = {
    field: concealed ? { ...field, required: false } : field,
    entity: entity.name,
    label: texts.label(source),
    help: said || undefined,
  }
  if (Input) return <Input source={source} {...props} />
  const KindInput = inputs[field.kind]
  return <KindInput {...props} />
}

const hints = { stored: 'app.form.stored_secret', perhaps: 'app.form.kept_if_stored' } as const

/** Whether the server hides a value of this field: it does, or perhaps it does and there is none. */
function concealment({ name, kind, concealedBy }: FieldDescription, record: RaRecord): keyof typeof hints | undefined {
  if (concealedBy) {
    if (record[concealedBy]) return undefined
    return name === concealedBy ? 'stored' : 'perhaps'
  }
  return kind === 'secret' && !record[name] ? 'perhaps' : undefined
}

/** A field that only newer servers know is there when their records have it; a server without records may know it. */
function useIsKnown(field: FieldDescription | undefined): boolean {
  const record = useRecordContext()
  const { data = [] } = useListContext()
  if (!field?.newer) return true
  return record ? field.name in record : data.length === 0 || data.some((row) => field.name in row)
}
