import { useGetList, useRecordContext, useTranslate } from 'react-admin'
import { everyRowByName } from '../../records/wholeList.ts'
import type { FieldDescription } from '../../schemas/define/describe.ts'
import type { MemberOf } from '../define/defineResource.ts'
import { useField } from '../kinds/parts/useField.ts'
import { LazyReferencePicker } from '../kinds/reference/LazyReferencePicker.ts'
import { groupsWith, memberOfField } from './memberOf.ts'

const description: FieldDescription = {
  name: memberOfField,
  kind: 'refs',
  editable: true,
  required: false,
  omittable: true,
  nullable: true,
}

/** The groups of the form's record, which hold it among their members: the save writes them, and not the record. */
export function MemberOfInput({ memberOf }: { memberOf: MemberOf }) {
  const translate = useTranslate()
  const record = useRecordContext()
  const { data = [] } = useGetList(memberOf.entity, everyRowByName)
  const { id, field, error } = useField<number[] | null>(description)
  const stored = record ? groupsWith(data, memberOf, record.id) : []
  const isStored = (ids: readonly number[]) =>
    ids.length === stored.length && ids.every((group) => stored.includes(group))
  return (
    <LazyReferencePicker
      to={memberOf.entity}
      label={translate(`resources.${memberOf.entity}.name`, { smart_count: 2 })}
      multiple
      id={id}
      error={error}
      binding={field}
      chosen={field.value ?? stored}
      onChoose={(ids) => field.onChange(isStored(ids) ? null : ids)}
    />
  )
}
