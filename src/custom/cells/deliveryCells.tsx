import { styled } from '@mui/material/styles'
import { useRecordContext, useTranslate } from 'react-admin'
import type { TextValue } from '../../records/queryRows.ts'
import { deliveryState, deliveryStates } from '../../schemas/delivery.ts'
import { ResultText } from './taskCells.tsx'

/** How a notice ended, as a dot and a word; with their number, when the line stands for several. */
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

/** What came back: `401 Unauthorized`; only words where nobody answered. */
const replyOf = ({ code, reply }: Readonly<Record<string, unknown>>) => [code, reply].filter(Boolean).join(' ')

export const DeliveryReply = () => <Whole>{replyOf(useRecordContext() ?? {})}</Whole>

export const DeliveryMessage = () => <Whole>{useRecordContext()?.message}</Whole>

/** Texts that are cut already: all that is left of them is shown, in several lines. */
const Whole = styled('span')({ display: 'block', paddingBlock: 4, whiteSpace: 'normal', overflowWrap: 'anywhere' })

/** The same, for search and export. */
export const deliveryReplyText: TextValue = replyOf
