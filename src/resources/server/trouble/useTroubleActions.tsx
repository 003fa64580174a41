import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, use, useState } from 'react'
import { type RaRecord, useDataProvider, useGetMany, useTranslate } from 'react-admin'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import type { Trouble } from '../../../domain/trouble/trouble.ts'
import { AnnouncedFeaturesContext } from '../../../engine/define/page.tsx'
import { useToast } from '../../../engine/parts/ActionDialog.tsx'
import { useIdentity } from '../../../engine/parts/identity.tsx'
import { lazyPart } from '../../../engine/parts/lazyPart.tsx'
import { allows, isReadOnly, mayOn } from '../../../schemas/define/access.ts'
import { endpoints } from '../../../schemas/endpoints/index.ts'
import { entities } from '../../../schemas/index.ts'
import { notification } from '../../../schemas/notification.ts'
import { useRunningAlarmsQuery } from '../../alarm/RunningAlarmsBadge.tsx'
import type { Incident } from '../../incident/columns.tsx'
import type { MuteTarget } from '../../mute/MuteDialog.tsx'

const AcknowledgeDialog = lazyPart(async () => ({
  default: (await import('../../incident/incidentDialogs.tsx')).AcknowledgeDialog,
}))
const MuteTargetDialog = lazyPart(async () => ({
  default: (await import('../../mute/MuteDialog.tsx')).MuteTargetDialog,
}))
const InstallDialog = lazyPart(() => import('../../../custom/install/InstallDialog.tsx'))

/** Something that can be done about a trouble, as a button of its line. */
interface TroubleAction {
  key: string
  label: string
  onSelect: () => void
}

/**
 * What this person can do about a trouble on this server, in the order of the buttons; and the dialog of the one that was
 * chosen. Another action is another entry of the list.
 * @param incident what it belongs to, where the server has that
 */
export function useTroubleActions(
  trouble: Trouble,
  incident: Incident | undefined,
): { actions: TroubleAction[]; dialog: ReactNode } {
  const translate = useTranslate()
  const features = use(AnnouncedFeaturesContext)
  const { identity } = useIdentity()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const queryClient = useQueryClient()
  const { showError } = useToast()
  const [open, setOpen] = useState<'mute' | 'acknowledge' | 'admit'>()
  const close = () => setOpen(undefined)
  const target = targetOf(trouble)
  const actions: TroubleAction[] = []
  const muted = useMuted(trouble)
  const mayMute = allows(identity?.role, entities.mute.access.create) && muted !== undefined && mayOn(muted, 'act')
  if (target && features?.has('maintenance') && mayMute) {
    actions.push({
      key: 'mute',
      label: translate(trouble.severity === 'silenced' ? 'app.trouble.unmute' : 'app.mute.mute'),
      onSelect: () => setOpen('mute'),
    })
  }
  if (incident?.state === 'open' && !isReadOnly(incident)) {
    actions.push({
      key: 'acknowledge',
      label: translate('resources.incident.actions.acknowledge.label'),
      onSelect: () => setOpen('acknowledge'),
    })
  }
  if (trouble.kind === 'agent_turned_away') {
    actions.push({ key: 'admit', label: translate('app.trouble.admit'), onSelect: () => setOpen('admit') })
  }
  if (trouble.kind === 'undelivered') {
    actions.push({ key: 'dismiss', label: translate('app.trouble.dismiss'), onSelect: dismiss })
  }
  return { actions, dialog: dialogOf() }

  async function dismiss(): Promise<void> {
    if (trouble.kind !== 'undelivered') return
    try {
      await call(endpoints.dismissUndelivered, { id: trouble.notification_id })
      await queryClient.invalidateQueries({ queryKey: [notification.name] })
    } catch (error) {
      showError(error)
    }
  }

  function dialogOf(): ReactNode {
    if (open === 'mute' && target) {
      const name = trouble.kind === 'alarm' ? `${trouble.name}: ${trouble.rule_name}` : trouble.name
      return <MuteTargetDialog target={target} name={name} onClose={close} />
    }
    if (open === 'acknowledge' && incident) return <AcknowledgeDialog records={[incident]} onClose={close} />
    return open === 'admit' ? <InstallDialog onClose={close} /> : null
  }
}

/** The record that a mute would be about, with what this person may do with it; `undefined` where they do not see it. */
function useMuted(trouble: Trouble): object | undefined {
  const [entity, id] =
    'service_id' in trouble
      ? ['service', trouble.service_id]
      : ['server', 'server_id' in trouble && trouble.kind !== 'alarm' ? trouble.server_id : 0]
  const { data } = useGetMany<RaRecord>(entity, { ids: [id] }, { enabled: id > 0 })
  const alarm = useRunningAlarmsQuery(({ alarms }) => alarms.find((one) => trouble.key === `alarm ${one.id}`)).data
  return trouble.kind === 'alarm' ? alarm : data?.[0]
}

function targetOf(trouble: Trouble): MuteTarget | undefined {
  const none = { server_id: 0, rule_id: 0, service_id: 0 }
  switch (trouble.kind) {
    case 'alarm':
      return { ...none, server_id: trouble.server_id, rule_id: trouble.rule_id }
    case 'server_offline':
    case 'disk_full':
    case 'traffic_used':
    case 'contract_end':
    case 'shared_uuid':
      return { ...none, server_id: trouble.server_id }
    case 'service_down':
    case 'certificate':
      return { ...none, service_id: trouble.service_id }
    default:
      return undefined
  }
}
