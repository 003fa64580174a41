import { InstallButton } from '../custom/actions/install/InstallButton.tsx'
import {
  BulkConfigDialog,
  ConfigDialog,
  ForceUpdateDialog,
  MoveServersDialog,
  MuteDialog,
  ReinstallDialog,
} from '../custom/actions/lazyDialogs.ts'
import { ServerId } from '../custom/cells/idCells.tsx'
import { AgentVersion } from '../custom/cells/server/AgentVersion.tsx'
import { CpuMeter } from '../custom/cells/server/CpuMeter.tsx'
import { DiskMeter } from '../custom/cells/server/DiskMeter.tsx'
import { LastSeen } from '../custom/cells/server/LastSeen.tsx'
import { LastHour, LastHourMetric } from '../custom/cells/server/lazyServerCells.tsx'
import { MemoryMeter } from '../custom/cells/server/MemoryMeter.tsx'
import { NetworkTraffic } from '../custom/cells/server/NetworkTraffic.tsx'
import { NoteButtons } from '../custom/cells/server/NoteButtons.tsx'
import { ServerAddress } from '../custom/cells/server/ServerAddress.tsx'
import { ServerCountry } from '../custom/cells/server/ServerCountry.tsx'
import {
  isInServerGroup,
  ServerGroups,
  serverGroupsSortValue,
  serverGroupsText,
} from '../custom/cells/server/ServerGroups.tsx'
import { ServerName } from '../custom/cells/server/ServerName.tsx'
import { ServerStatus } from '../custom/cells/server/ServerStatus.tsx'
import { ServerSummary } from '../custom/cells/server/ServerSummary.tsx'
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
} from '../custom/cells/server/serverSortValues.ts'
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
} from '../custom/cells/server/serverTexts.ts'
import { ServerUuid } from '../custom/cells/text/CopyCell.tsx'
import { TerminalIcon } from '../custom/components/icons.tsx'
import { PublicNoteInput } from '../custom/inputs/lazyInputs.ts'
import { ServerOverview } from '../custom/overview/lazyOverviews.ts'
import { endpoints } from '../schemas/endpoints/index.ts'
import { nezhaEndpoints } from '../schemas/endpoints/nezhaEndpoints.ts'
import { server } from '../schemas/server.ts'
import { dialog } from './engine/define/action.ts'
import { column, derived } from './engine/define/column.ts'
import { defineResource } from './engine/define/defineResource.ts'
import { filterByRecord, filterByState, filterByText, filterByValue } from './engine/define/filter.ts'
import { field, section } from './engine/define/section.ts'

const { moveServers } = nezhaEndpoints

/** The embedded server watches its own machine without an agent. */
const hasAgent = ({ runs_server }: Readonly<Record<string, unknown>>) => runs_server !== true

export default defineResource(server, {
  path: '',
  sort: { field: 'display_index', order: 'DESC' },
  order: 'display_index',
  file: async () => (await import('../custom/export/serverFile.ts')).serverFile,
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
  overview: ServerOverview,
  pages: [{ path: 'terminal', labelKey: 'app.shell.open_terminal', Icon: TerminalIcon }],
  rowActions: [
    'edit',
    dialog('mute', MuteDialog, { access: 'user', announced: 'maintenance', address: 'mute' }),
    dialog('config', ConfigDialog, { access: endpoints.setServerConfig.access }),
    dialog('reinstall', ReinstallDialog, { access: 'user', when: hasAgent }),
    'delete',
  ],
  bulkActions: [
    dialog('update', ForceUpdateDialog, { access: endpoints.forceUpdate.access }),
    dialog('config', BulkConfigDialog, { access: endpoints.setServerConfig.access }),
    dialog('move', MoveServersDialog, { access: moveServers.access, nezhaOnly: moveServers, announced: 'transfers' }),
    'delete',
  ],
  form: [
    section('general', ['name', 'display_index', 'note', field('public_note', { Input: PublicNoteInput })]),
    section('visibility', ['hide_for_guest']),
    section('ddns', ['enable_ddns', 'ddns_profiles', 'override_ddns_domains']),
  ],
})
