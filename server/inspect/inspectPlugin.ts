import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { inspectEndpoints as endpoints } from '../../src/schemas/endpoints/inspectEndpoints.ts'
import { containerLogQuery, containerQuery } from '../../src/schemas/inspect/containers.ts'
import { foldersQuery } from '../../src/schemas/inspect/hardware.ts'
import type { Store } from '../db/store.ts'
import { addAuditDetails, auditNames, auditTarget, route } from '../http/routes/route.ts'
import { bodyReader } from '../wire/apiCall.ts'
import { registerFileRoutes } from './fileRoutes.ts'
import { createInspector, type Inspector } from './inspector.ts'
import {
  actOnContainer,
  actOnUnit,
  containerId,
  type Order,
  pidOf,
  prioritize,
  readLogQuery,
  readQuery,
  sendSignal,
} from './orders.ts'
import { containerDetails, containerLog } from './subjects/containers.ts'
import { folders } from './subjects/folders.ts'
import { subjects } from './subjects/index.ts'
import { logFiles, logs } from './subjects/logs.ts'
import { openFiles } from './subjects/openFiles.ts'

declare module 'fastify' {
  interface FastifyInstance {
    inspector: Inspector
  }
}

interface InspectOptions {
  store: Store
  /** The clock, in milliseconds since 1970. */
  now: () => number
}

/** What the audit log notes of an order beside the machine. */
type Details = Readonly<Record<string, string | number>>

/** What goes on in machines, and the means to put it right. */
export const inspectPlugin = fp(
  async (app: FastifyInstance, { store, now }: InspectOptions) => {
    const inspector = createInspector({ store, machines: app.machines, now })
    app.decorate('inspector', inspector)
    app.addHook('preClose', async () => inspector.stop())

    /** Does something, and names the machine and what was done in the audit log. */
    async function act(request: FastifyRequest, id: number, order: Order, detail: Details) {
      const row = await inspector.act(request.person, id, order)
      addAuditDetails(request, {
        target: auditTarget('server', [id]),
        detail: { ...auditNames([row.name]), ...detail },
      })
    }

    route(app, 'processes', endpoints.processes, ({ params, person }) =>
      inspector.look(person, params.id, subjects.processes, undefined),
    )
    route(app, 'openFiles', endpoints.openFiles, ({ params, person }) =>
      inspector.look(person, params.id, openFiles, { pid: Number(pidOf(params.pid)) }),
    )
    route(
      app,
      { name: 'signalProcess', audit: 'process.signal' },
      endpoints.signalProcess,
      bodyReader(endpoints.signalProcess),
      (request) => {
        const { params, body } = request
        return act(request, params.id, sendSignal(params.pid, body), { pid: params.pid, signal: body.signal })
      },
    )
    route(
      app,
      { name: 'setPriority', audit: 'process.priority' },
      endpoints.setPriority,
      bodyReader(endpoints.setPriority),
      (request) => {
        const { params, body } = request
        return act(request, params.id, prioritize(params.pid, body), { pid: params.pid, nice: body.nice })
      },
    )

    route(app, 'containers', endpoints.containers, ({ params, person }) =>
      inspector.look(person, params.id, subjects.containers, undefined),
    )
    route(
      app,
      { name: 'actOnContainer', audit: 'container.act' },
      endpoints.actOnContainer,
      bodyReader(endpoints.actOnContainer),
      (request) => {
        const { id, container, act: verb } = request.params
        const { engine } = request.body
        return act(request, id, actOnContainer(engine, container, verb), { container, act: verb })
      },
    )
    route(app, 'containerLogs', endpoints.containerLogs, ({ params, query, person }) =>
      inspector.look(person, params.id, containerLog, {
        ...readQuery(containerLogQuery, query),
        id: containerId(params.container),
      }),
    )
    route(app, 'inspectContainer', endpoints.inspectContainer, ({ params, query, person }) =>
      inspector.look(person, params.id, containerDetails, {
        ...readQuery(containerQuery, query),
        id: containerId(params.container),
      }),
    )

    route(app, 'units', endpoints.units, ({ params, person }) =>
      inspector.look(person, params.id, subjects.units, undefined),
    )
    route(app, { name: 'actOnUnit', audit: 'unit.act' }, endpoints.actOnUnit, (request) => {
      const { id, name, act: verb } = request.params
      return act(request, id, actOnUnit(name, verb), { unit: name, act: verb })
    })

    route(app, 'logs', endpoints.logs, ({ params, query, person }) =>
      inspector.look(person, params.id, logs, readLogQuery(query)),
    )
    route(app, 'logFiles', endpoints.logFiles, ({ params, person }) =>
      inspector.look(person, params.id, logFiles, undefined),
    )

    route(app, 'disks', endpoints.disks, ({ params, person }) =>
      inspector.look(person, params.id, subjects.disks, undefined),
    )
    route(app, 'folders', endpoints.folders, ({ params, query, person }) =>
      inspector.look(person, params.id, folders, readQuery(foldersQuery, query)),
    )
    route(app, 'network', endpoints.network, ({ params, person }) =>
      inspector.look(person, params.id, subjects.network, undefined),
    )
    route(app, 'packages', endpoints.packages, ({ params, person }) =>
      inspector.look(person, params.id, subjects.packages, undefined),
    )
    route(app, 'hardware', endpoints.hardware, ({ params, person }) =>
      inspector.look(person, params.id, subjects.hardware, undefined),
    )
    registerFileRoutes(app, { inspector, act })
  },
  { name: 'inspect', dependencies: ['machines', 'audit'] },
)
