import { z } from 'zod'
import { apiToken, createdApiToken, newApiToken } from '../account/apiToken.ts'
import { endpoint } from '../define/endpoint.ts'
import { moveReport, transfer } from '../machines/transfer.ts'

const listOf = <Row extends z.ZodType>(row: Row) =>
  z
    .array(row)
    .nullish()
    .transform((rows) => rows ?? [])

/**
 * Endpoints that newer Nezha servers have; older ones answer with 404. The embedded server has them too, and says
 * `wheelhouse.api_tokens` and `wheelhouse.transfers` in `GET /setting`.
 */
export const nezhaEndpoints = {
  apiTokens: endpoint('GET', 'api-tokens', { reply: listOf(apiToken) }),
  createApiToken: endpoint('POST', 'api-tokens', {
    makesRecord: true,
    body: newApiToken.form,
    reply: createdApiToken,
    leadsTo: 'credential',
  }),
  deleteApiToken: endpoint('DELETE', 'api-tokens/:id'),
  /** `id`: only these transfers, as `1,2`; when none of them exists, the reply has all. */
  transfers: endpoint('GET', 'transfer', {
    query: z.object({ id: z.string().max(2_000).optional() }),
    scopes: ['nezha:transfer:read'],
    keepsToServers: true,
    reply: listOf(transfer),
  }),
  cancelTransfer: endpoint('POST', 'transfer/:id/cancel', {
    scopes: ['nezha:transfer:write'],
    keepsToServers: true,
    reply: transfer,
  }),
  retryTransfer: endpoint('POST', 'transfer/:id/retry', {
    scopes: ['nezha:transfer:write'],
    keepsToServers: true,
    reply: transfer,
    access: 'admin',
    leadsTo: 'command',
  }),
  /** Members may move servers to themselves only. */
  moveServers: endpoint('POST', 'batch-move/server', {
    scopes: ['nezha:server:write'],
    keepsToServers: true,
    body: z.object({ ids: z.array(z.int()), to_user: z.int().min(1) }),
    reply: moveReport,
    // The new owner has a shell on the machine.
    leadsTo: 'command',
  }),
} as const
