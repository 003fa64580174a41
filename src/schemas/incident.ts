import { z } from 'zod'
import { defineEntity } from './define/entity.ts'
import { numberFilter, periodFilter, searchFilter } from './formats/listFilters.ts'
import { incidentRecord, incidentStates } from './incidents/incidentRecord.ts'

/**
 * Things that went wrong together, on the embedded server. They are written by the server; people acknowledge them, add
 * notes, and resolve what cannot recover by itself.
 */
export const incident = defineEntity({
  name: 'incident',
  nameField: 'title',
  scopes: { list: 'wheelhouse:incident:read' },
  form: z.object({}),
  computed: incidentRecord,
  api: {
    path: 'wheelhouse/incidents',
    paging: 'window',
    verbs: [],
    announced: 'incidents',
    filters: z.object({
      q: searchFilter(),
      state: z.enum(incidentStates),
      server_id: numberFilter(),
      service_id: numberFilter(),
      started_at: periodFilter(),
    }),
  },
})
