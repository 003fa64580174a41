import { useTranslate } from 'react-admin'
import type { InputProps } from '../../engine/kinds/parts/kind.tsx'
import { WordsPicker } from '../../engine/kinds/parts/WordsPicker.tsx'
import { eventTypes } from '../../schemas/webhooks/eventTypes.ts'
import { eventText } from './columns.tsx'

/** The events that a notifier group asks for. */
export default function EventsInput(props: InputProps) {
  const translate = useTranslate()
  const textOf = (type: string) => eventText(type, translate)
  return <WordsPicker {...props} words={eventTypes} textOf={textOf} required={props.field.required} />
}
