import type { FastifyInstance } from 'fastify'
import { nezhaEndpoints as endpoints } from '../../src/schemas/endpoints/nezhaEndpoints.ts'
import { addAuditDetails, auditTarget } from '../http/routes/auditAction.ts'
import { route } from '../http/routes/route.ts'
import { readFields } from '../wire/readFields.ts'
import type { ServerTransfers } from './serverTransfers.ts'

function readMoveForm(body: unknown): { ids: number[]; to_user: number } {
  const { ids, to_user } = readFields(body, 'BatchMoveServerForm', {
    ids: { kind: 'list', of: { kind: 'uint64' } },
    to_user: { kind: 'uint64' },
  })
  return { ids: ids ?? [], to_user: to_user ?? 0 }
}

/** Moves servers to other owners (docs/contract/CONTRACT.md#54-servers). */
export function registerTransfers(app: FastifyInstance, transfers: ServerTransfers): void {
  route(app, 'moveServers', endpoints.moveServers, readMoveForm, (request) => {
    const { ids, to_user } = request.body
    addAuditDetails(request, { target: auditTarget('server', ids), detail: { to_user } })
    return transfers.move(ids, to_user, request.person)
  })
  route(app, 'transfers', endpoints.transfers, ({ person }) => transfers.list(person))
  route(app, 'cancelTransfer', endpoints.cancelTransfer, (request) => {
    addAuditDetails(request, { target: `transfer ${request.params.id}` })
    return transfers.cancel(request.params.id, request.person)
  })
  route(app, 'retryTransfer', endpoints.retryTransfer, (request) => {
    addAuditDetails(request, { target: `transfer ${request.params.id}` })
    return transfers.retry(request.params.id, request.person)
  })
}
