import Alert from '@mui/material/Alert'
import { useMemo } from 'react'
import { HttpError, useDataProvider, useRefresh } from 'react-admin'
import { FormDialog } from '../../components/FormDialog.tsx'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import type { ActionDialogProps } from '../../engine/define/action.ts'
import { markMissing } from '../../engine/define/rights.tsx'
import { useScreen } from '../../engine/define/screen.ts'
import { useIdentity } from '../../engine/parts/identity.tsx'
import { useToast } from '../../engine/parts/useToast.ts'
import { roles } from '../../schemas/define/access.ts'
import type { Values } from '../../schemas/define/values.ts'
import { nezhaEndpoints } from '../../schemas/endpoints/nezhaEndpoints.ts'
import { newTransfer, newTransferOfOwnMachine } from '../../schemas/machines/transfer.ts'

/** Statuses of a move that have their own text. */
const statusesWithText = [
  'same_owner',
  'already_transferring',
  'agent_too_old',
  'permission_denied',
  'server_not_found',
] as const

/** Moves servers to another user. A move takes effect when the server's agent has accepted the new owner's secret. */
export default function MoveServersDialog({ records, onClose }: ActionDialogProps) {
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
