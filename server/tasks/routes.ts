import type { FastifyInstance } from 'fastify'
import { endpoints } from '../../src/schemas/endpoints/index.ts'
import { tellOfDeed } from '../audit/recordRequests.ts'
import type { Guard } from '../auth/guard.ts'
import { handle } from '../http/routes/route.ts'
import { readPathId } from '../wire/readIds.ts'
import type { Tasks } from './tasks.ts'

/**
 * Lets people run a task now, and the schedule run while the server listens. The older verb, GET, is not taken: any
 * page could make a browser send it.
 */
export function registerTasks(app: FastifyInstance, guard: Guard, tasks: Tasks): void {
  handle(app, guard, 'runCron', endpoints.runCron, (request) => {
    const id = readPathId((request.params as { id: string }).id)
    tellOfDeed(request, { target: `cron ${id}` })
    tasks.runNow(id, request.person)
  })
  app.addHook('onListen', async () => tasks.start())
  app.addHook('onClose', () => tasks.stop())
}
