import { useGetList } from 'react-admin'
import { everyRow } from '../../../../records/wholeList.ts'
import type { FilterProps } from '../parts/kind.ts'
import { SelectFilter } from '../parts/SelectFilter.tsx'

/** The records that a row may refer to, by name: the browser's own select finds one of thousands by typing. */
export function ReferenceFilter(props: FilterProps) {
  const { data = [] } = useGetList(props.field.to ?? '', {
    pagination: everyRow,
    sort: { field: 'name', order: 'ASC' },
  })
  const options = data.map(({ id, name }) => ({ value: String(id), text: `${name || ''} #${id}` }))
  return <SelectFilter {...props} options={options} />
}
