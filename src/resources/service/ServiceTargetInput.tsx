import { useTranslate } from 'react-admin'
import { useWatch } from 'react-hook-form'
import type { InputProps } from '../../engine/kinds/parts/kind.ts'
import { TextInput } from '../../engine/kinds/TextInput.tsx'
import { checkKindOf } from '../../schemas/checks/checks.ts'
import { monitorTypes } from '../../schemas/service.ts'

/** The target, with a help text for the chosen type or kind of check. */
export default function ServiceTargetInput(props: InputProps) {
  const translate = useTranslate()
  const [type, check]: [number, unknown] = useWatch({ name: ['type', 'check'] })
  const name = checkKindOf(check)?.target ?? (monitorTypes as Record<number, string | undefined>)[type]
  return <TextInput {...props} mono help={name && translate(`resources.service.values.target_${name}`)} />
}
