import { useRecordContext } from 'react-admin'
import { valueAt } from '../../../records/queryRows.ts'
import { describeField } from '../../../schemas/define/describe.ts'
import { useScreen } from '../../define/screen.ts'
import { cells } from '../../kinds/cells.tsx'

/** A field's value as its kind draws it; a dotted source is drawn as text. */
export function FieldCell({ source }: { source: string }) {
  const { entity } = useScreen()
  const record = useRecordContext()
  const field = describeField(entity, source)
  const { Cell } = cells[field?.kind ?? 'text']
  const value = record && valueAt(record, source)
  return <Cell value={value} entity={entity.name} field={field} />
}
