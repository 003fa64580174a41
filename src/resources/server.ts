import { InstallButton } from '../custom/actions/install/InstallButton.tsx'
import {
  BulkConfigDialog,
  ConfigDialog,
  ForceUpdateDialog,
  MoveServersDialog,
  ReinstallDialog,
  ServerChartsDialog,
} from '../custom/actions/lazyDialogs.ts'
import { ServerUuid } from '../custom/cells/CopyCell.tsx'
import { ServerId } from '../custom/cells/idCells.tsx'
import { AgentVersion } from '../custom/cells/server/AgentVersion.tsx'
import { CpuMeter } from '../custom/cells/server/CpuMeter.tsx'
import { DiskMeter } from '../custom/cells/server/DiskMeter.tsx'
import { LastSeen } from '../custom/cells/server/LastSeen.tsx'
import { MemoryMeter } from '../custom/cells/server/MemoryMeter.tsx'
import { NetworkTraffic } from '../custom/cells/server/NetworkTraffic.tsx'
import { NoteButtons } from '../custom/cells/server/NoteButtons.tsx'
import { addressText, ServerAddress } from '../custom/cells/server/ServerAddress.tsx'
import { ServerGroups, serverGroupsSortValue, serverGroupsText } from '../custom/cells/server/ServerGroups.tsx'
import { ServerName } from '../custom/cells/server/ServerName.tsx'
import { ServerStatus } from '../custom/cells/server/ServerStatus.tsx'
import {
  cpuSortValue,
  diskSortValue,
  lastSeenSortValue,
  liveMetricsSnapshot,
  matchesOnlineStatus,
  memorySortValue,
  onlineSortValue,
  trafficSortValue,
} from '../custom/cells/server/serverSortValues.ts'
import { TerminalIcon } from '../custom/components/icons.tsx'
import { PublicNoteInput } from '../custom/inputs/lazyInputs.ts'
import { endpoints } from '../schemas/endpoints/index.ts'
import { nezhaEndpoints } from '../schemas/endpoints/nezhaEndpoints.ts'
import { server } from '../schemas/server.ts'
import { column, defineResource, derived, dialog, field, filter, section } from './engine/define/defineResource.ts'

const { moveServers } = nezhaEndpoints

export default defineResource(server, {
  path: '',
  sort: { field: 'display_index', order: 'DESC' },
  columns: [
    column('id', ServerId, { width: 64 }),
    column('name', ServerName),
    derived('status', ServerStatus, { sortValue: onlineSortValue }),
    derived('cpu', CpuMeter, { sortValue: cpuSortValue, width: 130 }),
    derived('memory', MemoryMeter, { sortValue: memorySortValue, width: 130 }),
    derived('disk', DiskMeter, { sortValue: diskSortValue, width: 130 }),
    derived('traffic', NetworkTraffic, { sortValue: trafficSortValue }),
    derived('group', ServerGroups, {
      sortValue: serverGroupsSortValue,
      text: serverGroupsText,
      related: ['server-group'],
    }),
    derived('ip', ServerAddress, { sortValue: addressText, text: addressText }),
    column('host.version', AgentVersion),
    column('last_active', LastSeen, { sortValue: lastSeenSortValue }),
    'enable_ddns',
    'hide_for_guest',
    derived('note', NoteButtons, { sortValue: (row) => row.note, text: (row) => String(row.note ?? '') }),
    column('uuid', ServerUuid),
  ],
  filters: [
    'name',
    filter('status', ['online', 'offline'], matchesOnlineStatus),
    'note',
    'public_note',
    'enable_ddns',
    'ddns_profiles',
    'hide_for_guest',
    'uuid',
  ],
  snapshot: liveMetricsSnapshot,
  toolbar: [InstallButton],
  pages: [{ path: 'terminal', labelKey: 'app.shell.open_terminal', Icon: TerminalIcon }],
  rowActions: [
    'edit',
    dialog('charts', ServerChartsDialog, { access: 'user' }),
    dialog('config', ConfigDialog, { access: endpoints.setServerConfig.access }),
    dialog('reinstall', ReinstallDialog, { access: 'user' }),
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
