import { useTranslate } from 'react-admin'
import { useWatch } from 'react-hook-form'
import type { InputProps } from '../../../resources/engine/kinds/parts/kind.ts'
import { RefInput } from '../../../resources/engine/kinds/ref/input.tsx'

/** The notifier group of an alert, with a warning that without one nobody is notified. */
export default function AlertNotifierGroupInput(props: InputProps) {
  const translate = useTranslate()
  const group: number = useWatch({ name: props.field.name })
  return <RefInput {...props} help={group ? props.help : translate('resources.alert-rule.values.warn_no_group')} />
}
