import { useTranslate } from 'react-admin'
import { useWatch } from 'react-hook-form'
import { ChoiceInput, TextInput } from '../../engine/kinds/basicInputs.tsx'
import type { InputProps } from '../../engine/kinds/parts/kind.tsx'
import { checkKindOf } from '../../schemas/checks/checks.ts'
import { monitorTypes } from '../../schemas/service.ts'

/** The type; a check of its own takes its place, and the server sets it to what comes closest. */
export function ServiceTypeInput(props: InputProps) {
  const check: unknown = useWatch({ name: 'check' })
  return check ? null : <ChoiceInput {...props} />
}

/** The target, with a help text for the chosen type or kind of check. */
export function ServiceTargetInput(props: InputProps) {
  const translate = useTranslate()
  const [type, check]: [number, unknown] = useWatch({ name: ['type', 'check'] })
  const name = checkKindOf(check)?.target ?? (monitorTypes as Record<number, string | undefined>)[type]
  return <TextInput {...props} mono help={name && translate(`resources.service.values.target_${name}`)} />
}

/** How many machines must fail: a number or a share, as text. */
export function QuorumInput(props: InputProps) {
  return <TextInput {...props} format={(value) => (value === null || value === undefined ? '' : String(value))} />
}
