import { action, dialog } from '../../engine/define/action.ts'
import { defineResource, filterByRecord, filterByState } from '../../engine/define/defineResource.ts'
import type { Row } from '../../records/queryRows.ts'
import { incidentEndpoints as endpoints } from '../../schemas/endpoints/incidentEndpoints.ts'
import { incident } from '../../schemas/incident.ts'
import { columns, incidentStateWords } from './columns.tsx'

const isState =
  (...states: readonly string[]) =>
  ({ state }: Row<typeof incident>) =>
    states.includes(String(state))

export default defineResource(incident, {
  filters: [
    filterByState('state', incidentStateWords),
    filterByRecord('server_id', 'server'),
    filterByRecord('service_id', 'service'),
    'started_at',
  ],
  rowActions: [
    dialog('acknowledge', async () => ({ default: (await import('./incidentDialogs.tsx')).AcknowledgeDialog }), {
      access: endpoints.acknowledgeIncident.access,
      address: 'acknowledge',
      when: isState('open'),
    }),
    action('unacknowledge', endpoints.unacknowledgeIncident, { when: isState('acknowledged') }),
    dialog('note', async () => ({ default: (await import('./incidentDialogs.tsx')).NoteDialog }), { access: 'user' }),
    action('resolve', endpoints.resolveIncident, { confirm: true, when: isState('open', 'acknowledged') }),
  ],
  columns,
  card: { beside: ['state'], metrics: ['started_at', 'duration'], below: ['extent'] },
})
