import ButtonBase from '@mui/material/ButtonBase'
import { styled } from '@mui/material/styles'
import { useRecordContext, useTranslate } from 'react-admin'
import { useServerClock } from '../../live/serverClock.ts'
import { useStartAction } from '../../resources/engine/actions/ActionRunner.tsx'
import { dialog } from '../../resources/engine/define/defineResource.ts'
import type { DdnsSummary } from '../../schemas/endpoints/ddnsResult.ts'
import { endpoints } from '../../schemas/endpoints/index.ts'
import { DdnsNamesDialog } from '../actions/lazyDialogs.ts'
import { formatAge, type Translate } from '../format/format.ts'
import { useDdnsSummaries } from '../hooks/useDdnsSummaries.ts'
import { ResultText } from './ResultText.tsx'

/** Opened by the cell, so it is in no menu. */
const namesDialog = dialog('names', DdnsNamesDialog, { access: endpoints.ddnsResults.access })

/** The update status of a profile's domain names; a click opens the list of all of them. */
export default function DdnsStatus() {
  const record = useRecordContext()
  const translate = useTranslate()
  const now = useServerClock()
  const start = useStartAction()
  const summaries = useDdnsSummaries()
  if (!record || !summaries) return null
  const summary = summaries.find(({ profile_id }) => profile_id === record.id)
  return (
    <StatusButton type="button" aria-haspopup="dialog" onClick={() => start(namesDialog, [record], 'row')}>
      {summary ? <Summary summary={summary} now={now} translate={translate} /> : translate('app.ddns.unused')}
    </StatusButton>
  )
}

interface SummaryProps {
  summary: DdnsSummary
  now: number
  translate: Translate
}

function Summary({ summary: { names, done, failed, waiting, at }, now, translate }: SummaryProps) {
  if (waiting > 0) return translate('app.ddns.states.waiting')
  if (failed > 0) {
    return <ResultText data-result="failed">{translate('app.ddns.failed_of', { failed, total: names })}</ResultText>
  }
  if (done === 0 || !at) return translate('app.ddns.nothing_yet')
  return <ResultText data-result="succeeded">{formatAge(Date.parse(at), now, translate)}</ResultText>
}

const StatusButton = styled(ButtonBase)(({ theme }) => ({
  minHeight: 28,
  paddingInline: 4,
  marginInline: -4,
  borderRadius: 6,
  font: 'inherit',
  color: theme.vars.palette.text.secondary,
  textDecoration: 'underline dotted',
  textUnderlineOffset: 3,
  '&:hover': { background: theme.vars.palette.sunken },
  '&:focus-visible': { outline: `2px solid ${theme.vars.palette.primary.main}` },
}))
