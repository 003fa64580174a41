import { useTranslate } from 'react-admin'
import { ResultText } from '../../../components/cells/ResultText.tsx'
import { formatDateTime, formatDuration } from '../../../components/format/format.ts'
import { useLanguage } from '../../../components/format/useLanguage.ts'
import { EventList } from '../../../components/overview/EventList.tsx'
import { ShowAllButton, useFirstRows } from '../../../components/overview/useFirstRows.tsx'
import { Panel } from '../../../components/Panel.tsx'
import { RetryAlert } from '../../../engine/parts/RetryAlert.tsx'
import { useServerClock } from '../../../live/serverClock.ts'
import type { Outage, useOutages } from './useOutages.ts'

const firstShown = 20

/** The outages of a service in the period of the charts: since when, how long, and why or on which server. */
export function OutageList({ outages, error, retry }: Omit<ReturnType<typeof useOutages>, 'areStored'>) {
  const translate = useTranslate()
  const { shown, ...rest } = useFirstRows(outages ?? [], firstShown)
  if (!outages && !error) return null
  return (
    <Panel title={translate('app.overview.outages')}>
      {error && !outages ? <RetryAlert error={error} onRetry={retry} /> : null}
      {outages?.length === 0 ? <p>{translate('app.overview.no_outages')}</p> : null}
      <EventList>
        {shown.map((outage) => (
          <OutageEntry key={outage.key} outage={outage} />
        ))}
      </EventList>
      <ShowAllButton {...rest} />
    </Panel>
  )
}

function OutageEntry({ outage: { from, to, cause, reason, answer, server } }: { outage: Outage }) {
  const { locale, translate } = useLanguage()
  const now = useServerClock()
  const length = formatDuration(Math.max(1000, (to ?? now) - from) / 1000, translate)
  return (
    <li>
      <div>
        {to === undefined ? (
          <ResultText data-result="failed">{translate('app.overview.lasting', { duration: length })}</ResultText>
        ) : (
          <ResultText data-result="succeeded">{length}</ResultText>
        )}
        <strong>{reason ? translate(`app.checks.reasons.${reason.key}`, reason.values) : cause}</strong>
        {server ? <span>{translate('app.overview.seen_from', { name: server })}</span> : null}
      </div>
      {answer ? (
        <details>
          <summary>{translate('app.checks.answer')}</summary>
          <pre
            style={{ margin: 0, maxHeight: 240, overflow: 'auto', whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
          >
            {answer}
          </pre>
        </details>
      ) : null}
      <time dateTime={new Date(from).toISOString()}>{formatDateTime(from, locale)}</time>
    </li>
  )
}
