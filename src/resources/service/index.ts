import { ServiceId } from '../../components/cells/idCells.tsx'
import { dialog } from '../../engine/define/action.ts'
import { column, defineResource, derived, filterByState } from '../../engine/define/defineResource.ts'
import { field, section, warning } from '../../engine/define/form.ts'
import type { Row, RowContext } from '../../records/queryRows.ts'
import { isEmptyGroup } from '../../schemas/notificationGroup.ts'
import { service } from '../../schemas/service.ts'
import { AvailabilityCell } from './AvailabilityCell.tsx'
import { AddressesButton } from './addresses/AddressesButton.tsx'
import { ServiceState, ServiceType } from './ServiceStatus.tsx'
import { type ServiceOverview, serviceMetrics, serviceOverviewQuery } from './serviceHealth.ts'
import { serviceStateOf, serviceStateOrder, serviceStateWords } from './serviceStates.ts'

const serviceInputs = () => import('./serviceInputs.tsx')

function metricsOf({ id }: Row<typeof service>, live: ServiceOverview | undefined) {
  const found = live?.services?.[String(id)]
  return found ? serviceMetrics(found) : {}
}

/** Rounded down, as on screen: 99.999 % never becomes 100 %. */
const percentText = (percent: number | undefined) =>
  percent === undefined ? '' : String(Math.floor(percent * 100 + 1e-6) / 100)

export default defineResource(service, {
  order: 'display_index',
  toolbar: [AddressesButton],
  live: ({ queryClient, dataProvider }) => queryClient.fetchQuery(serviceOverviewQuery(dataProvider.call)),
  columns: [
    column('id', { Cell: ServiceId, width: 64 }),
    'name',
    derived('status', {
      Cell: ServiceState,
      sort: serviceStateOrder,
      file: (row, { live, language }) => language.translate(serviceStateWords[serviceStateOf(row, live)]),
      needs: ['live'],
    }),
    derived('availability', {
      Cell: AvailabilityCell,
      sort: (row: Row<typeof service>, { live }: RowContext<ServiceOverview>) => metricsOf(row, live).percent,
      file: [
        {
          heading: 'app.charts.availability',
          unit: '%',
          text: (row, { live }) => percentText(metricsOf(row, live).percent),
        },
        {
          heading: 'app.charts.latency',
          unit: 'ms',
          text: (row, { live }) =>
            metricsOf(row, live)
              .ms?.toFixed(2)
              .replace(/\.?0+$/, '') ?? '',
        },
      ],
      needs: ['live'],
    }),
    column('type', { Cell: ServiceType }),
    'target',
    column('duration', { align: 'end' }),
    'cover',
    'skip_servers',
    'notification_group_id',
    'notify',
    'latency_notify',
    'enable_trigger_task',
    'fail_trigger_tasks',
    'recover_trigger_tasks',
    'hide_for_guest',
  ],
  card: { beside: ['status'], metrics: ['availability'], below: ['type', 'target'] },
  filters: [
    'name',
    filterByState('status', serviceStateWords, {
      matches: (row, state, { live }: RowContext<ServiceOverview>) => serviceStateOf(row, live) === state,
      needs: ['live'],
    }),
    'target',
    'type',
    'cover',
    'notification_group_id',
    'notify',
    'enable_trigger_task',
    'fail_trigger_tasks',
    'recover_trigger_tasks',
    'hide_for_guest',
  ],
  form: [
    'name',
    field('type', async () => ({ default: (await serviceInputs()).ServiceTypeInput })),
    field('target', async () => ({ default: (await serviceInputs()).ServiceTargetInput })),
    'duration',
    'paused',
    field('check', () => import('./checks/CheckInput.tsx'), { wide: true }),
    'retries',
    'retry_pause',
    section('servers', [
      'cover',
      'skip_servers',
      field('quorum', async () => ({ default: (await serviceInputs()).QuorumInput })),
    ]),
    section('notifications', [
      'notification_group_id',
      'escalation_id',
      'notify',
      'degraded_notify',
      'latency_notify',
      'min_latency',
      'max_latency',
      'latency_checks',
    ]),
    section('tasks', ['enable_trigger_task', 'fail_trigger_tasks', 'recover_trigger_tasks']),
    section('dependencies', ['depends_on', 'depends_on_services']),
    section('visibility', ['hide_for_guest', 'display_index']),
  ],
  notes: [
    warning('notifications_off', ({ notification_group_id, notify }) => Boolean(notification_group_id) && !notify),
    warning(
      'no_group',
      ({ notification_group_id, escalation_id, notify, latency_notify }) =>
        !notification_group_id && !escalation_id && (notify === true || latency_notify === true),
    ),
    warning('empty_group', isEmptyGroup, { related: 'notification-group' }),
  ],
  rowActions: [
    dialog('mute', () => import('../mute/MuteDialog.tsx'), {
      access: 'user',
      announced: 'maintenance',
      address: 'mute',
      right: 'act',
    }),
    'edit',
    'delete',
  ],
})
