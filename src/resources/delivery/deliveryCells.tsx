import { styled } from '@mui/material/styles'
import { useRecordContext, useTranslate } from 'react-admin'
import { ResultText } from '../../components/cells/ResultText.tsx'
import type { TextValue } from '../../records/queryRows.ts'
import { deliveryState, deliveryStates } from '../../schemas/delivery.ts'

/** The result of a notification as a dot and a word, with the count when the row stands for several. */
export function DeliveryState() {
  const record = useRecordContext()
  const translate = useTranslate()
  if (!record) return null
  const result = record.state === deliveryState.sent ? 'succeeded' : 'failed'
  return <ResultText data-result={result}>{deliveryStateText(record, translate)}</ResultText>
}

/** The result as a word: 'Dropped × 12'. */
export function deliveryStateText(
  { state, count }: Readonly<Record<string, unknown>>,
  translate: (key: string) => string,
): string {
  const name = deliveryStates[state as keyof typeof deliveryStates]
  const text = name ? translate(`resources.delivery.choices.state.${name}`) : String(state ?? '')
  return Number(count ?? 1) > 1 ? `${text} × ${count}` : text
}

/** The reply: `401 Unauthorized`; without a status code if nobody answered. The text of an empty reply begins with it. */
function replyOf({ code, reply }: Readonly<Record<string, unknown>>): string {
  const text = String(reply ?? '')
  return !code || text.split(' ')[0] === String(code) ? text : `${code} ${text}`.trim()
}

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
