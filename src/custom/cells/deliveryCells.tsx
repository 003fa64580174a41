import { styled } from '@mui/material/styles'
import { useRecordContext, useTranslate } from 'react-admin'
import type { TextValue } from '../../records/queryRows.ts'
import { deliveryState, deliveryStates } from '../../schemas/delivery.ts'
import { ResultText } from './ResultText.tsx'

/** The result of a notification as a dot and a word, with the count when the row stands for several. */
export function DeliveryState() {
  const record = useRecordContext()
  const translate = useTranslate()
  const state = record?.state as keyof typeof deliveryStates | undefined
  const name = state && deliveryStates[state]
  const result = state === deliveryState.sent ? 'succeeded' : 'failed'
  const times = (record?.count ?? 1) > 1 ? ` × ${record?.count}` : ''
  const text = name ? translate(`resources.delivery.choices.state.${name}`) : state
  return (
    <ResultText data-result={result}>
      {text}
      {times}
    </ResultText>
  )
}

/** The reply: `401 Unauthorized`; without a status code if nobody answered. */
const replyOf = ({ code, reply }: Readonly<Record<string, unknown>>) => [code, reply].filter(Boolean).join(' ')

export const DeliveryReply = () => <WrappedText>{replyOf(useRecordContext() ?? {})}</WrappedText>

export const DeliveryMessage = () => <WrappedText>{useRecordContext()?.message}</WrappedText>

/** Texts that the server has shortened already: they wrap instead of being cut again. */
const WrappedText = styled('span')({
  display: 'block',
  paddingBlock: 4,
  whiteSpace: 'normal',
  overflowWrap: 'anywhere',
})

/** The reply, for search and export. */
export const deliveryReplyText: TextValue = replyOf
