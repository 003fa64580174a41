import ButtonBase from '@mui/material/ButtonBase'
import { styled } from '@mui/material/styles'
import { useRecordContext } from 'react-admin'
import { ResultText } from '../../components/cells/ResultText.tsx'
import { useLanguage } from '../../components/format/useLanguage.ts'
import { useStartAction } from '../../engine/actions/ActionRunner.tsx'
import { dialog } from '../../engine/define/action.ts'
import { useServerClock } from '../../live/serverClock.ts'
import type { Row } from '../../records/queryRows.ts'
import type { ddns } from '../../schemas/ddns.ts'
import type { DdnsSummary } from '../../schemas/endpoints/ddnsResult.ts'
import { endpoints } from '../../schemas/endpoints/index.ts'
import { ddnsSummaryText, useDdnsSummaries } from './useDdnsSummaries.ts'

/** Opened by the cell, so it is in no menu. */
const namesDialog = dialog('names', () => import('./DdnsNamesDialog.tsx'), { access: endpoints.ddnsResults.access })

/** The update status of a profile's domain names; a click opens the list of all of them. */
export default function DdnsStatus() {
  const record = useRecordContext<Row<typeof ddns>>()
  const language = useLanguage()
  const now = useServerClock()
  const start = useStartAction()
  const summaries = useDdnsSummaries()
  if (!record) return null
  if (!summaries) return <StatusButton disabled />
  const summary = summaries.find(({ profile_id }) => profile_id === record.id)
  const text = ddnsSummaryText(summary, now, language)
  const result = summary && resultOf(summary)
  return (
    <StatusButton type="button" aria-haspopup="dialog" onClick={() => start(namesDialog, [record], 'row')}>
      {result ? <ResultText data-result={result}>{text}</ResultText> : text}
    </StatusButton>
  )
}

/** How the text is marked: updates that failed or succeeded have a dot. */
function resultOf({ done, failed, waiting, at }: DdnsSummary): string | undefined {
  if (waiting > 0) return undefined
  if (failed > 0) return 'failed'
  return done > 0 && at ? 'succeeded' : undefined
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
  [theme.breakpoints.down('sm')]: { minHeight: 44 },
  '&:hover': { background: theme.vars.palette.sunken },
  '&:focus-visible': { outline: `2px solid ${theme.vars.palette.primary.main}` },
}))
