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
import { ResultText } from './taskCells.tsx'

/** In no menu: the cell itself opens it. */
const namesDialog = dialog('names', DdnsNamesDialog, { access: endpoints.ddnsStandings.access })

/** How the names of a profile stand, in a few words; a click tells more of each. */
export default function DdnsStatus() {
  const record = useRecordContext()
  const translate = useTranslate()
  const now = useServerClock()
  const start = useStartAction()
  const summaries = useDdnsSummaries()
  if (!record || !summaries) return null
  const summary = summaries.find(({ profile_id }) => profile_id === record.id)
  return (
    <Words type="button" aria-haspopup="dialog" onClick={() => start(namesDialog, [record], 'row')}>
      {summary ? <Summary summary={summary} now={now} translate={translate} /> : translate('app.ddns.unused')}
    </Words>
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

const Words = styled(ButtonBase)(({ theme }) => ({
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
