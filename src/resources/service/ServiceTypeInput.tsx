import { useWatch } from 'react-hook-form'
import { ChoiceInput } from '../../engine/kinds/ChoiceInput.tsx'
import type { InputProps } from '../../engine/kinds/parts/kind.ts'

/** The type; a check of its own takes its place, and the server sets it to what comes closest. */
export default function ServiceTypeInput(props: InputProps) {
  const check: unknown = useWatch({ name: 'check' })
  return check ? null : <ChoiceInput {...props} />
}
