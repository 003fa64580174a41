import type { FastifyInstance } from 'fastify'
import type { Guard } from '../../../../../server/auth/guard.ts'
import type { Store } from '../../../../../server/db/store.ts'
import { entityTable } from '../../../../../server/entities/entityTable.ts'
import { handle } from '../../../../../server/http/routes/route.ts'
import { owns } from '../../../../../server/person.ts'
import { ApiError } from '../../../../../server/wire/apiError.ts'
import { readPathId } from '../../../../../server/wire/readIds.ts'
import { timestamp } from '../../../../../server/wire/timestamp.ts'
import { endpoints } from '../../src/schemas/endpoints/index.ts'
import { maintenance } from '../../src/schemas/maintenance.ts'

/** Starts a window by hand, whatever its time is. */
export function registerMaintenance(app: FastifyInstance, { store, guard }: { store: Store; guard: Guard }): void {
  const windows = entityTable(store, maintenance)
  handle(app, guard, 'startMaintenance', endpoints.startMaintenance, ({ params, person }) => {
    const id = readPathId((params as { id: string }).id)
    const window = windows.get(id)
    if (!window) throw new ApiError(`maintenance id ${id} does not exist`)
    if (!owns(person, window)) throw new ApiError('permission denied')
    windows.update(id, { last_started_at: timestamp() })
  })
}
