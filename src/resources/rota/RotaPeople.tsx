import { useRecordContext } from 'react-admin'
import { LazyReferencePicker } from '../../engine/kinds/reference/LazyReferencePicker.ts'
import { useNames } from '../../engine/kinds/reference/useNames.tsx'
import { useIdentity } from '../../engine/parts/identity.tsx'
import type { Row, TextContext } from '../../records/queryRows.ts'
import { byId } from '../../records/wholeList.ts'
import { allows } from '../../schemas/define/access.ts'
import type { rota } from '../../schemas/rota.ts'
import { user } from '../../schemas/user.ts'

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

/** Names of people by id. Members know only their own: they may not list users. */
export function usePersonName(ids: readonly number[]): (id: number) => string {
  const { identity } = useIdentity()
  const mayList = allows(identity?.role, user.access.list)
  const nameOf = useNames('user', mayList ? ids : [])
  return (id) =>
    mayList ? nameOf(id) : String(identity?.id) === String(id) ? (identity?.fullName ?? `#${id}`) : `#${id}`
}

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
