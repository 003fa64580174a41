import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Store } from '../../../../../server/db/store.ts'
import { entityTable } from '../../../../../server/entities/entityTable.ts'
import { route } from '../../../../../server/http/routes/route.ts'
import { owns } from '../../../../../server/person.ts'
import { ApiError } from '../../../../../server/wire/apiError.ts'
import { timestamp } from '../../../../../server/wire/timestamp.ts'
import { endpoints } from '../../src/schemas/endpoints/index.ts'
import { maintenance } from '../../src/schemas/maintenance.ts'

/** Starts a window by hand, whatever its time is. */
export const maintenancePlugin = fp(
  async (app: FastifyInstance, { store }: { store: Store }) => {
    const windows = entityTable(store, maintenance)
    route(app, 'startMaintenance', endpoints.startMaintenance, ({ params, person }) => {
      const window = windows.get(params.id)
      if (!window) throw new ApiError(`maintenance id ${params.id} does not exist`)
      if (!owns(person, window)) throw new ApiError('permission denied')
      windows.update(params.id, { last_started_at: timestamp() })
    })
  },
  { name: 'maintenance', dependencies: ['security'] },
)
