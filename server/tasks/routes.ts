import type { FastifyInstance } from 'fastify'
import { endpoints } from '../../src/schemas/endpoints/index.ts'
import { addAuditDetails } from '../http/routes/auditAction.ts'
import { route } from '../http/routes/route.ts'
import type { Tasks } from './tasks.ts'

/**
 * Lets people run a task now, and the schedule run while the server listens. The older verb, GET, is not taken: any
 * page could make a browser send it.
 */
export function registerTasks(app: FastifyInstance, tasks: Tasks): void {
  route(app, 'runCron', endpoints.runCron, (request) => {
    const { id } = request.params
    addAuditDetails(request, { target: `cron ${id}` })
    tasks.runNow(id, request.person)
  })
  app.addHook('onListen', async () => tasks.start())
  app.addHook('onClose', () => tasks.stop())
}
