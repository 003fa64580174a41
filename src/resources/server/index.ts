import { ServerUuid } from '../../components/cells/CopyCell.tsx'
import { ServerId } from '../../components/cells/idCells.tsx'
import { TerminalIcon } from '../../components/icons.tsx'
import { InstallButton } from '../../custom/install/InstallButton.tsx'
import { dialog } from '../../engine/define/action.ts'
import { column, derived } from '../../engine/define/column.ts'
import { defineResource } from '../../engine/define/defineResource.ts'
import { filterByRecord, filterByState, filterByText, filterByValue } from '../../engine/define/filter.ts'
import { field, section } from '../../engine/define/section.ts'
import { endpoints } from '../../schemas/endpoints/index.ts'
import { nezhaEndpoints } from '../../schemas/endpoints/nezhaEndpoints.ts'
import { server } from '../../schemas/server.ts'
import { AgentVersion } from './cells/AgentVersion.tsx'
import { CpuMeter } from './cells/CpuMeter.tsx'
import { DiskMeter } from './cells/DiskMeter.tsx'
import { LastSeen } from './cells/LastSeen.tsx'
import { LastHour, LastHourMetric } from './cells/lazyServerCells.tsx'
import { MemoryMeter } from './cells/MemoryMeter.tsx'
import { NetworkTraffic } from './cells/NetworkTraffic.tsx'
import { NoteButtons } from './cells/NoteButtons.tsx'
import { ServerAddress } from './cells/ServerAddress.tsx'
import { ServerCountry } from './cells/ServerCountry.tsx'
import { isInServerGroup, ServerGroups, serverGroupsSortValue, serverGroupsText } from './cells/ServerGroups.tsx'
import { ServerName } from './cells/ServerName.tsx'
import { ServerStatus } from './cells/ServerStatus.tsx'
import { ServerSummary } from './cells/ServerSummary.tsx'
import {
  cpuSortValue,
  diskSortValue,
  lastSeenSortValue,
  liveMetricsSnapshot,
  matchesOnlineStatus,
  memorySortValue,
  onlineSortValue,
  onlineWords,
  trafficSortValue,
} from './cells/serverSortValues.ts'
import {
  addressText,
  agentVersionOf,
  agentVersionText,
  countryName,
  countryOf,
  countryText,
  ownerOf,
  platformOf,
  systemText,
} from './cells/serverTexts.ts'

const { moveServers } = nezhaEndpoints

/** The embedded server watches its own machine without an agent. */
const hasAgent = ({ runs_server }: Readonly<Record<string, unknown>>) => runs_server !== true

export default defineResource(server, {
  sort: { field: 'display_index', order: 'DESC' },
  order: 'display_index',
  file: async () => (await import('./serverFile.ts')).serverFile,
  columns: [
    column('id', ServerId, { width: 64 }),
    column('name', ServerName, { text: systemText }),
    derived('status', ServerStatus, { sortValue: onlineSortValue }),
    derived('cpu', CpuMeter, { sortValue: cpuSortValue, width: 130 }),
    derived('memory', MemoryMeter, { sortValue: memorySortValue, width: 130 }),
    derived('disk', DiskMeter, { sortValue: diskSortValue, width: 130 }),
    derived('traffic', NetworkTraffic, { sortValue: trafficSortValue, align: 'end' }),
    derived('last_hour', LastHour, {
      ...{ sortValue: false, hidden: 'always', announced: 'last_hour', width: 136, Options: LastHourMetric },
    }),
    derived('group', ServerGroups, {
      sortValue: serverGroupsSortValue,
      text: serverGroupsText,
      related: ['server-group'],
    }),
    derived('ip', ServerAddress, { sortValue: addressText, text: addressText }),
    derived('country', ServerCountry, { sortValue: countryOf, text: countryText, hidden: 'always' }),
    column('host.version', AgentVersion, { text: agentVersionText, hidden: 'unlessChosen' }),
    column('last_active', LastSeen, { sortValue: lastSeenSortValue }),
    column('enable_ddns', undefined, { hidden: 'unlessChosen' }),
    column('hide_for_guest', undefined, { hidden: 'unlessChosen' }),
    derived('note', NoteButtons, { sortValue: (row) => row.note, hidden: 'unlessChosen' }),
    column('uuid', ServerUuid, { hidden: 'unlessChosen' }),
  ],
  card: { beside: ['status'], metrics: ['cpu', 'memory', 'disk'], below: ['group', 'ip'] },
  filters: [
    'name',
    filterByState('status', onlineWords, matchesOnlineStatus),
    filterByRecord('group', 'server-group', isInServerGroup),
    filterByValue('country', (row) => [countryOf(row)], countryName),
    filterByValue('platform', (row) => [platformOf(row)]),
    filterByValue('host.version', (row) => [agentVersionOf(row)]),
    filterByText('ip', addressText),
    filterByValue('owner', (row) => [ownerOf(row)]),
    'note',
    'public_note',
    'enable_ddns',
    'ddns_profiles',
    'hide_for_guest',
    'uuid',
  ],
  snapshot: liveMetricsSnapshot,
  Summary: ServerSummary,
  toolbar: [InstallButton],
  pages: [{ path: 'terminal', labelKey: 'app.shell.open_terminal', Icon: TerminalIcon }],
  rowActions: [
    'edit',
    dialog('mute', () => import('../mute/MuteDialog.tsx'), {
      access: 'user',
      announced: 'maintenance',
      address: 'mute',
    }),
    dialog('config', () => import('./agentConfig/ConfigDialog.tsx'), { access: endpoints.setServerConfig.access }),
    dialog('reinstall', () => import('../../custom/install/ReinstallDialog.tsx'), { access: 'user', when: hasAgent }),
    'delete',
  ],
  bulkActions: [
    dialog('update', () => import('./ForceUpdateDialog.tsx'), { access: endpoints.forceUpdate.access }),
    dialog('config', () => import('./agentConfig/BulkConfigDialog.tsx'), { access: endpoints.setServerConfig.access }),
    dialog('move', () => import('./MoveServersDialog.tsx'), {
      access: moveServers.access,
      nezhaOnly: moveServers,
      announced: 'transfers',
    }),
    'delete',
  ],
  form: [
    section('general', [
      'name',
      'display_index',
      'note',
      field('public_note', () => import('./publicNote/PublicNoteInput.tsx')),
    ]),
    section('visibility', ['hide_for_guest']),
    section('ddns', ['enable_ddns', 'ddns_profiles', 'override_ddns_domains']),
  ],
})
