import { LazyReferencePicker } from '../../engine/kinds/reference/LazyReferencePicker.ts'

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
