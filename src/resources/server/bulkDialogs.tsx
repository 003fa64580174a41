import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { useMemo, useState } from 'react'
import { HttpError, type RaRecord, useDataProvider, useRefresh, useTranslate } from 'react-admin'
import { FormDialog } from '../../components/FormDialog.tsx'
import { currentMetrics, type ServerRow, useServerMetric } from '../../components/serverMetrics.ts'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { contractOfNote } from '../../domain/contract/noteContract.ts'
import { PlanDialog } from '../../engine/bulk/PlanDialog.tsx'
import type { BulkPlan } from '../../engine/bulk/planBulkEdit.ts'
import type { ActionDialogProps } from '../../engine/define/action.ts'
import { markMissing } from '../../engine/define/page.tsx'
import { useScreen } from '../../engine/define/screen.ts'
import { valuesOf } from '../../engine/form/validate.ts'
import { ActionDialog, useToast } from '../../engine/parts/ActionDialog.tsx'
import { useIdentity } from '../../engine/parts/identity.tsx'
import { MoreNames } from '../../engine/parts/MoreNames.tsx'
import { isReadOnly, roles } from '../../schemas/define/access.ts'
import { isObject, sameValue, type Values } from '../../schemas/define/values.ts'
import { endpoints } from '../../schemas/endpoints/index.ts'
import { nezhaEndpoints } from '../../schemas/endpoints/nezhaEndpoints.ts'
import { contract } from '../../schemas/machines/contract.ts'
import type { OrderReport } from '../../schemas/machines/serverConfig.ts'
import { newTransfer, newTransferOfOwnMachine } from '../../schemas/machines/transfer.ts'
import { server } from '../../schemas/server.ts'

/** Servers in the list of results: of thousands, nobody reads more. */
const maxShown = 200

interface Sent {
  report: OrderReport
  /** The version of each agent before the update, by id. */
  versions: ReadonlyMap<number, string>
}

/** Has agents update themselves, and shows which of them are back with which version. */
export function ForceUpdateDialog({ records, onClose }: ActionDialogProps) {
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

/** Statuses of a move that have their own text. */
const statusesWithText = [
  'same_owner',
  'already_transferring',
  'agent_too_old',
  'permission_denied',
  'server_not_found',
] as const

/** Moves servers to another user. A move takes effect when the server's agent has accepted the new owner's secret. */
export function MoveServersDialog({ records, onClose }: ActionDialogProps) {
  const { texts, translate } = useScreen()
  const { identity } = useIdentity()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const refresh = useRefresh()
  const toast = useToast()
  // Members may only move servers to themselves, and cannot list users.
  const isMember = identity?.role !== roles.admin

  const ownMachine = records.find(({ runs_server }) => runs_server === true)
  const ownName = ownMachine && texts.nameOf(ownMachine)
  const entity = useMemo(() => (ownName === undefined ? newTransfer : newTransferOfOwnMachine(ownName)), [ownName])

  const move = async (to_user: number) => {
    const reply = await call(nezhaEndpoints.moveServers, { ids: records.map(({ id }) => Number(id)), to_user })
    const nameOf = (id: number) => texts.nameOf(records.find((record) => record.id === id) ?? { id })
    const failed = reply.filter(({ status }) => status !== 'pending')
    const lines = failed.map(({ server_id, status, error }) => {
      const state = statusesWithText.find((one) => one === status)
      return `${nameOf(server_id)}: ${error || (state ? translate(`app.transfers.outcomes.${state}`) : status)}`
    })
    const started = translate('app.transfers.started', { smart_count: reply.length - failed.length })
    const message = [started, ...lines].join('\n')
    toast.show({
      key: 'app.transfers.report',
      args: { lines: message },
      type: failed.length > 0 ? 'warning' : 'success',
    })
    refresh()
  }
  const send = async (values: Values) => {
    try {
      await move(Number(values.to_user))
    } catch (error) {
      if (!(error instanceof HttpError) || error.status !== 404) throw error
      markMissing(nezhaEndpoints.moveServers)
      toast.show({ key: 'app.nezha.missing', type: 'info' })
    }
  }
  return (
    <FormDialog
      title={translate('app.transfers.move_title', { what: texts.what(records) })}
      entity={entity}
      values={isMember ? { to_user: identity?.id } : {}}
      without={isMember ? ['to_user'] : []}
      labelOf={(field) => translate(field === 'machine_name' ? 'app.transfers.own_name' : 'app.transfers.fields.to')}
      helpOf={(field) =>
        field === 'machine_name'
          ? translate('app.transfers.own_name_help', { name: ownName })
          : translate('app.transfers.move_help')
      }
      submitLabel={translate('app.transfers.move')}
      onSubmit={send}
      onClose={onClose}
    >
      <Alert severity="info">{translate(isMember ? 'app.transfers.move_to_self' : 'app.transfers.move_hint')}</Alert>
      {ownName === undefined ? null : (
        <Alert severity="warning">{translate('app.transfers.own_machine', { name: ownName })}</Alert>
      )}
    </FormDialog>
  )
}

/** Takes over into contracts what the public notes of servers say of price, end and traffic; with a preview. */
export function ContractNotesDialog({ records, onClose }: ActionDialogProps) {
  const { texts, translate } = useScreen()
  const dataProvider = useDataProvider()
  const [plan, setPlan] = useState(() => planOf(records))
  return (
    <PlanDialog
      title={translate('resources.server.actions.contract.title', { what: texts.what(records) })}
      plan={plan}
      onBack={onClose}
      onReview={async (ids) => {
        const { data } = await dataProvider.getMany(server.name, { ids: [...ids] })
        setPlan(planOf(data))
      }}
      onClose={onClose}
    />
  )
}

function planOf(records: readonly RaRecord[]): BulkPlan {
  const plan: BulkPlan = { updates: [], refusals: [], unchanged: [] }
  for (const record of records) {
    const known = contractOfNote(String(record.public_note ?? ''))
    // Without them, the server keeps what it cost until now.
    const { former_prices: _, ...stored }: Values = isObject(record.contract) ? record.contract : {}
    const taken = known && contract.safeParse({ ...stored, ...known }).data
    if (isReadOnly(record)) plan.refusals.push({ record, reasons: [{ message: 'app.form.read_only' }] })
    else if (taken === undefined || sameValue(taken, stored)) plan.unchanged.push(record)
    else plan.updates.push({ record, before: valuesOf(server, record), data: { contract: taken } })
  }
  return plan
}
