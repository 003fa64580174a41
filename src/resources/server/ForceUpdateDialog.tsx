import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { useState } from 'react'
import { type RaRecord, useDataProvider, useTranslate } from 'react-admin'
import { currentMetrics, type ServerRow, useServerMetric } from '../../components/serverMetrics.ts'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import type { ActionDialogProps } from '../../engine/define/action.ts'
import { useScreen } from '../../engine/define/screen.ts'
import { ActionDialog } from '../../engine/parts/ActionDialog.tsx'
import { MoreNames } from '../../engine/parts/MoreNames.tsx'
import { useToast } from '../../engine/parts/useToast.ts'
import { endpoints } from '../../schemas/endpoints/index.ts'
import type { OrderReport } from '../../schemas/machines/serverConfig.ts'

/** Servers in the list of results: of thousands, nobody reads more. */
const maxShown = 200

interface Sent {
  report: OrderReport
  /** The version of each agent before the update, by id. */
  versions: ReadonlyMap<number, string>
}

/** Has agents update themselves, and shows which of them are back with which version. */
export default function ForceUpdateDialog({ records, onClose }: ActionDialogProps) {
  const { texts, translate } = useScreen()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const toast = useToast()
  const [sent, setSent] = useState<Sent>()
  const [isSending, setSending] = useState(false)
  const what = texts.what(records)

  const send = async () => {
    setSending(true)
    const versions = new Map(
      records.map((record) => [Number(record.id), currentMetrics(record as ServerRow).host.version ?? '']),
    )
    try {
      setSent({ report: await call(endpoints.forceUpdate, [...versions.keys()]), versions })
    } catch (error) {
      toast.showError(error)
    }
    setSending(false)
  }

  return (
    <ActionDialog title={translate('resources.server.actions.update.confirm', { what })} onClose={onClose}>
      <DialogContent dividers>
        <Typography variant="body2" color="textSecondary" gutterBottom>
          {translate('app.orders.update_hint')}
        </Typography>
        {sent ? <Results sent={sent} records={records} /> : null}
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{translate(sent ? 'app.action.close' : 'app.action.cancel')}</Button>
        {sent ? null : (
          <Button variant="contained" loading={isSending} onClick={() => void send()}>
            {translate('resources.server.actions.update.label')}
          </Button>
        )}
      </DialogActions>
    </ActionDialog>
  )
}

function Results({ sent: { report, versions }, records }: { sent: Sent; records: readonly RaRecord[] }) {
  const { texts, translate } = useScreen()
  const byId = new Map(records.map((record) => [Number(record.id), record]))
  const outcomes = (['failure', 'offline', 'success'] as const).flatMap((outcome) =>
    report[outcome].map((id) => ({ id, outcome, record: byId.get(id) ?? { id } })),
  )
  return (
    <List>
      {outcomes.slice(0, maxShown).map(({ id, outcome, record }) => (
        <li key={id} data-failed={outcome === 'failure'}>
          <strong>{texts.nameOf(record)}</strong>{' '}
          {outcome === 'success' ? (
            <Delivered record={record as ServerRow} before={versions.get(id) ?? ''} />
          ) : (
            <span>{report.reasons[id] ?? translate(`app.orders.${outcome}`)}</span>
          )}
        </li>
      ))}
      {outcomes.length > maxShown ? (
        <li>
          <MoreNames
            label={texts.plural}
            names={() => outcomes.map(({ record }) => ({ id: record.id, name: texts.nameOf(record) }))}
            count={outcomes.length - maxShown}
          />
        </li>
      ) : null}
    </List>
  )
}

/** What has become of a delivered order, by the live reports of the agent. */
function Delivered({ record, before }: { record: ServerRow; before: string }) {
  const translate = useTranslate()
  const version = useServerMetric(record, (metrics) => metrics.host.version ?? '')
  const isOnline = useServerMetric(record, (metrics) => metrics.online)
  const state = !isOnline ? 'update_away' : version === before ? 'update_delivered' : 'update_back'
  return <span>{translate(`app.orders.${state}`, { version })}</span>
}

const List = styled('ul')(({ theme }) => ({
  margin: 0,
  padding: 0,
  listStyle: 'none',
  overflowWrap: 'anywhere',
  '& li': { display: 'flex', flexWrap: 'wrap', gap: theme.spacing(0.25, 1), paddingBlock: theme.spacing(1) },
  '& li + li': { borderTop: `1px solid ${theme.vars.palette.divider}` },
  '& strong': { fontWeight: 600 },
  '& span': { color: theme.vars.palette.text.secondary },
  '& li[data-failed=true] span': { color: theme.vars.palette.error.main },
}))
