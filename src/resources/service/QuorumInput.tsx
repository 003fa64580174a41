import type { InputProps } from '../../engine/kinds/parts/kind.ts'
import { TextInput } from '../../engine/kinds/TextInput.tsx'

/** How many machines must fail: a number or a share, as text. */
export default function QuorumInput(props: InputProps) {
  return <TextInput {...props} format={(value) => (value === null || value === undefined ? '' : String(value))} />
}
