import './availabilityCell.css'
import { useRecordContext, useTranslate } from 'react-admin'
import { ServiceId } from '../../components/cells/idCells.tsx'
import { DialogButton } from '../../components/DialogButton.tsx'
import { formatMetric, formatPercentFloor } from '../../components/format/format.ts'
import { useLanguage } from '../../components/format/useLanguage.ts'
import { type DayStatus, dailyAvailability, dayHeight, dayStatus, upPercent } from '../../domain/availability.ts'
import { dialog } from '../../engine/define/action.ts'
import { column, defineResource, derived, filterByState } from '../../engine/define/defineResource.ts'
import { field, section, warning } from '../../engine/define/form.ts'
import { lazyPart } from '../../engine/parts/lazyPart.tsx'
import type { Row, RowContext } from '../../records/queryRows.ts'
import { isEmptyGroup } from '../../schemas/notificationGroup.ts'
import { service } from '../../schemas/service.ts'
import { ServiceState, ServiceType, serviceStateOf, serviceStateOrder, serviceStateWords } from './ServiceStatus.tsx'
import {
  type ServiceOverview,
  type ServiceOverviewItem,
  serviceMetrics,
  serviceOverviewQuery,
  useServiceOverview,
} from './serviceHealth.ts'

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
    dialog('mute', async () => ({ default: (await import('../mute/MuteDialog.tsx')).MuteDialog }), {
      access: 'user',
      announced: 'maintenance',
      address: 'mute',
      right: 'act',
    }),
    'edit',
    'delete',
  ],
})

const AddressesDialog = lazyPart(() => import('./addresses/AddressesDialog.tsx'))

/** A button that opens the dialog for services by a list of addresses. */
function AddressesButton() {
  const translate = useTranslate()
  return <DialogButton label={translate('app.addresses.menu')} dialog={AddressesDialog} />
}

/** The last 30 days of a service as bars, with the share of checks that succeeded in them and the latency of today. */
function AvailabilityCell() {
  const record = useRecordContext<Row<typeof service>>()
  const { translate, locale } = useLanguage()
  const { data } = useServiceOverview(({ services }) => {
    const item = services?.[String(record?.id)]
    // Selected as one text, so that a row renders only when its own values change.
    return item && JSON.stringify([statesOf(item), serviceMetrics(item)])
  })
  if (!data) return <span className="availability-cell" />
  const [states, { percent, ms }] = JSON.parse(data) as [DayStatus[], ReturnType<typeof serviceMetrics>]
  const up = percent === undefined ? undefined : formatPercentFloor(percent, locale)
  const name = up
    ? `${translate('app.charts.availability')}: ${translate('app.charts.up_percent', { percent: up })}`
    : translate('app.charts.health.unchecked')
  return (
    <span className="availability-cell">
      <svg role="img" aria-label={name} viewBox={`0 0 ${states.length * step} ${height}`}>
        <title>{name}</title>
        {drawn.map((state) => (
          <path key={state} className={state} d={barsOf(states, state)} />
        ))}
      </svg>
      <small>
        {[up, ms === undefined ? undefined : formatMetric(ms, 'ms', { translate, locale })].filter(Boolean).join(' · ')}
      </small>
    </span>
  )
}

const statesOf = ({ up, down }: ServiceOverviewItem): DayStatus[] =>
  dailyAvailability(up, down, 0).map((day) => dayStatus(upPercent(day)))

/** Pixels: a bar and the gap after it, the bar alone, and its whole height. */
const [step, width, height] = [4, 3, 16]

const drawn: readonly DayStatus[] = ['none', 'good', 'mixed', 'bad']

/** The bars of the days in one state: one element for all of them, as a list may have a hundred services. */
function barsOf(states: readonly DayStatus[], state: DayStatus): string {
  // The empty part of every bar is drawn first, below the others.
  const isDrawn = (day: DayStatus) => state === 'none' || day === state
  const filled = state === 'none' ? height : height * dayHeight[state]
  return states
    .map((day, index) => (isDrawn(day) ? `M${index * step} ${height}v${-filled}h${width}v${filled}z` : ''))
    .join('')
}
