import { useId } from 'react'
import { LazyReferencePicker } from '../../engine/kinds/reference/LazyReferencePicker.ts'
import type { FieldDescription } from '../../schemas/define/describe.ts'

const field: FieldDescription = {
  name: 'user_id',
  kind: 'ref',
  to: 'user',
  editable: true,
  required: true,
  omittable: false,
  nullable: false,
}
const binding = { onBlur: () => {}, ref: () => {} }

interface PersonPickerProps {
  label: string
  chosen: number | undefined
  onChoose: (id: number | undefined) => void
}

/** Picks a user by name. For those who may list users; it is fetched when it is drawn. */
export function PersonPicker({ label, chosen, onChoose }: PersonPickerProps) {
  const id = useId()
  return (
    <LazyReferencePicker
      field={field}
      entity="rota"
      label={label}
      id={id}
      binding={binding}
      chosen={chosen ? [chosen] : []}
      onChoose={([first]) => onChoose(first)}
    />
  )
}
