import { useWatch } from 'react-hook-form'
import type { InputProps } from '../../resources/engine/kinds/parts/kind.ts'
import { TextInput } from '../../resources/engine/kinds/text/input.tsx'
import { noticePlaceholders, webhookPlaceholders } from '../../schemas/formats/placeholders.ts'
import { TextPairsInput } from './KeyValueInput.tsx'
import { WithPlaceholders } from './PlaceholderMenu.tsx'

const form = 2

/** A notifier's address, with its placeholders. */
export const NotifierUrlInput = (props: InputProps) => (
  <WithPlaceholders label={props.label} placeholders={noticePlaceholders}>
    <TextInput {...props} inputMode="url" />
  </WithPlaceholders>
)

/** A notifier's body: free text, or pairs where it is sent as a form. */
export function NotifierBodyInput(props: InputProps) {
  const type: number = useWatch({ name: 'request_type' })
  return (
    <WithPlaceholders label={props.label} placeholders={noticePlaceholders}>
      {type === form ? <TextPairsInput {...props} /> : <TextInput {...props} lines={4} mono />}
    </WithPlaceholders>
  )
}

/** A webhook's address, without which it is none, or its body. */
export function WebhookTextInput(props: InputProps) {
  const isBody = props.field.kind === 'multiline'
  return (
    <WithPlaceholders label={props.label} placeholders={webhookPlaceholders}>
      {isBody ? (
        <TextInput {...props} lines={3} mono />
      ) : (
        <TextInput {...props} field={{ ...props.field, required: true }} inputMode="url" />
      )}
    </WithPlaceholders>
  )
}
