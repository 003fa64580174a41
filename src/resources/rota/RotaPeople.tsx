import { useRecordContext } from 'react-admin'
import { LazyReferencePicker } from '../../engine/kinds/reference/LazyReferencePicker.ts'
import { usePersonName } from '../../engine/kinds/reference/usePersonName.ts'
import { byId, type Row, type TextContext } from '../../records/queryRows.ts'
import type { rota } from '../../schemas/rota.ts'

type RotaRow = Row<typeof rota>

/** The people of a rota in their turn. */
export function RotaPeople() {
  const record = useRecordContext<RotaRow>()
  const people = record?.people ?? []
  const nameOf = usePersonName(people)
  return <>{people.map(nameOf).join(', ')}</>
}

/** The same for files. */
export const peopleText = ({ people = [] }: RotaRow, { related }: TextContext): string =>
  people.map((id) => byId(related('user')).get(String(id))?.username ?? `#${id}`).join(', ')

interface PersonPickerProps {
  label: string
  chosen: number | undefined
  onChoose: (id: number | undefined) => void
}

/** Picks a user by name. For those who may list users; it is fetched when it is drawn. */
export function PersonPicker({ label, chosen, onChoose }: PersonPickerProps) {
  return (
    <LazyReferencePicker
      to="user"
      required
      label={label}
      chosen={chosen ? [chosen] : []}
      onChoose={([first]) => onChoose(first)}
    />
  )
}
