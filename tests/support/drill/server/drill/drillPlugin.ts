import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Store } from '../../../../../server/db/store.ts'
import { entityTable } from '../../../../../server/entities/entityTable.ts'
import { addAuditDetails, auditNames, route } from '../../../../../server/http/routes/route.ts'
import { owns } from '../../../../../server/person.ts'
import { ApiError, timestamp } from '../../../../../server/wire/apiCall.ts'
import { drill } from '../../src/schemas/drill.ts'
import { endpoints } from '../../src/schemas/endpoints/index.ts'

/** Starts a drill by hand, whatever its time is. */
export const drillPlugin = fp(
  async (app: FastifyInstance, { store }: { store: Store }) => {
    const drills = entityTable(store, drill)
    route(app, { name: 'startDrill', audit: 'drill.run' }, endpoints.startDrill, (request) => {
      const { id } = request.params
      const row = drills.get(id)
      if (!row) throw new ApiError(`drill id ${id} does not exist`)
      if (!owns(request.person, row)) throw new ApiError('permission denied')
      drills.update(id, { last_started_at: timestamp() })
      addAuditDetails(request, { target: `drill ${id}`, detail: auditNames([row.name]) })
    })
  },
  { name: 'drill', dependencies: ['security'] },
)
