import { TerminalIcon } from '../../components/icons.tsx'
import { InstallButton } from '../../custom/install/InstallButton.tsx'
import { dialog } from '../../engine/define/action.ts'
import {
  defineResource,
  filterByRecord,
  filterByState,
  filterByText,
  filterByValue,
} from '../../engine/define/defineResource.ts'
import { field, section } from '../../engine/define/form.ts'
import { lazyPart } from '../../engine/parts/lazyPart.tsx'
import type { Entries } from '../../live/feedMessages.ts'
import { liveSnapshot } from '../../live/store.ts'
import type { Row, RowContext } from '../../records/queryRows.ts'
import { endpoints } from '../../schemas/endpoints/index.ts'
import { nezhaEndpoints } from '../../schemas/endpoints/nezhaEndpoints.ts'
import { server } from '../../schemas/server.ts'
import { ServerCause } from './cells.tsx'
import { columns, isOnlineNow, serverGroups } from './columns.ts'
import { conditionFilters, contractFilters } from './hiddenColumns.ts'
import { ServerSummary } from './ServerSummary.tsx'
import { addressText, agentVersionOf, countryName, countryOf, ownerOf, platformOf } from './serverTexts.ts'

const { moveServers } = nezhaEndpoints

/** The text keys of the filter's choices. */
const onlineWords = {
  online: 'resources.server.values.online',
  offline: 'resources.server.values.offline',
} as const

/** The embedded server watches its own machine without an agent. */
const hasAgent = ({ runs_server }: Row<typeof server>) => !runs_server

const configuring = { access: endpoints.setServerConfig.access, right: 'configure' } as const

export default defineResource(server, {
  // Trouble first; rows without it, and those with the same, in the order by hand.
  sort: { field: 'status', order: 'ASC' },
  order: 'display_index',
  live: liveSnapshot,
  columns,
  card: { beside: ['status'], Note: ServerCause, metrics: ['cpu', 'memory', 'disk'], below: ['group', 'ip'] },
  filters: [
    'name',
    filterByState('status', onlineWords, {
      matches: (row, status, context: RowContext<Entries>) => isOnlineNow(row, context) === (status === 'online'),
      needs: ['live'],
    }),
    filterByRecord('group', 'server-group', serverGroups.matches),
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
    ...contractFilters,
    ...conditionFilters,
  ],
  Summary: ServerSummary,
  Wall: lazyPart(() => import('./wall/Wall.tsx')),
  sections: { entity: 'server-group', members: 'servers' },
  toolbar: [InstallButton],
  pages: [{ path: 'terminal', labelKey: 'app.shell.open_terminal', Icon: TerminalIcon }],
  rowActions: [
    'edit',
    dialog('mute', async () => ({ default: (await import('../mute/MuteDialog.tsx')).MuteDialog }), {
      access: 'user',
      announced: 'maintenance',
      address: 'mute',
      right: 'act',
    }),
    dialog('config', () => import('./agentConfig/ConfigDialog.tsx'), configuring),
    dialog('reinstall', () => import('../../custom/install/ReinstallDialog.tsx'), { access: 'user', when: hasAgent }),
    'delete',
  ],
  bulkActions: [
    dialog('update', async () => ({ default: (await import('./bulkDialogs.tsx')).ForceUpdateDialog }), {
      access: endpoints.forceUpdate.access,
      right: 'act',
    }),
    dialog('config', () => import('./agentConfig/BulkConfigDialog.tsx'), configuring),
    dialog('ask', () => import('./question/Ask.tsx'), { access: 'user', announced: 'inspect', right: 'act' }),
    dialog('contract', async () => ({ default: (await import('./bulkDialogs.tsx')).ContractNotesDialog }), {
      access: 'user',
      announced: 'contracts',
    }),
    dialog('move', async () => ({ default: (await import('./bulkDialogs.tsx')).MoveServersDialog }), {
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
    section('dependencies', ['depends_on', 'depends_on_services']),
    section('contract', [field('contract', () => import('./contract/ContractInput.tsx'), { wide: true })], {
      folded: true,
    }),
  ],
})
