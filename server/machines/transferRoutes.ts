import type { FastifyInstance, FastifyRequest } from 'fastify'
import { nezhaEndpoints as endpoints } from '../../src/schemas/endpoints/nezhaEndpoints.ts'
import type { Transfer } from '../../src/schemas/machines/transfer.ts'
import { server } from '../../src/schemas/server.ts'
import type { Store } from '../db/store.ts'
import { entityTable } from '../entities/entityTable.ts'
import { addAuditDetails, auditNames, auditTarget, route } from '../http/routes/route.ts'
import { readFields } from '../wire/readFields.ts'
import { readQueryIds } from '../wire/readIds.ts'
import type { ServerTransfers } from './serverTransfers.ts'

function readMoveForm(body: unknown): { ids: number[]; to_user: number } {
  const { ids, to_user } = readFields(body, 'BatchMoveServerForm', {
    ids: { kind: 'list', of: { kind: 'uint64' } },
    to_user: { kind: 'uint64' },
  })
  return { ids: ids ?? [], to_user: to_user ?? 0 }
}

/** Moves servers to other owners (docs/contract/CONTRACT.md#54-servers). */
export function registerTransfers(app: FastifyInstance, store: Store, transfers: ServerTransfers): void {
  const servers = entityTable(store, server)
  const nameOf = (id: number) => servers.get(id)?.name ?? `#${id}`

  /** Names the server of a transfer in the audit log. */
  function recorded(request: FastifyRequest, transfer: Transfer): Transfer {
    const { id, server_id, to_user_id } = transfer
    const detail = { ...auditNames([server_id], nameOf), transfer: id, to_user: to_user_id }
    addAuditDetails(request, { target: auditTarget('server', [server_id]), detail })
    return transfer
  }

  route(app, { name: 'moveServers', audit: 'server.move' }, endpoints.moveServers, readMoveForm, (request) => {
    const { ids, to_user } = request.body
    const detail = { ...auditNames(ids, nameOf), to_user }
    addAuditDetails(request, { target: auditTarget('server', ids), detail })
    return transfers.move(ids, to_user, request.person)
  })
  route(app, 'transfers', endpoints.transfers, ({ person, query }) => transfers.list(person, readQueryIds(query)))
  route(app, { name: 'cancelTransfer', audit: 'server.move-cancel' }, endpoints.cancelTransfer, (request) =>
    recorded(request, transfers.cancel(request.params.id, request.person)),
  )
  route(app, { name: 'retryTransfer', audit: 'server.move-retry' }, endpoints.retryTransfer, (request) =>
    recorded(request, transfers.retry(request.params.id, request.person)),
  )
}
