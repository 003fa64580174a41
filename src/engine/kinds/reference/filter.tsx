import { useGetList } from 'react-admin'
import { everyRow } from '../../../records/wholeList.ts'
import { entityNamed } from '../../../schemas/index.ts'
import type { FilterProps } from '../parts/kind.ts'
import { SelectFilter } from '../parts/SelectFilter.tsx'

export const ReferenceFilter = (props: FilterProps) => <RecordFilter {...props} to={props.field.to ?? ''} />

/** The records of an entity, by name: the browser's own select finds one of thousands by typing. */
export function RecordFilter({ to, ...props }: Pick<FilterProps, 'id' | 'value' | 'onChange'> & { to: string }) {
  const nameField = entityNamed(to)?.nameField ?? 'name'
  const { data = [] } = useGetList(to, { pagination: everyRow, sort: { field: nameField, order: 'ASC' } })
  const options = data.map((record) => ({ value: String(record.id), text: `${record[nameField] || ''} #${record.id}` }))
  return <SelectFilter {...props} options={options} />
}
