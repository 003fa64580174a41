import { z } from 'zod'
import { apiToken, createdApiToken, newApiToken } from '../account/apiToken.ts'
import { endpoint } from '../define/endpoint.ts'
import { moveReport, transfer } from '../machines/transfer.ts'

const listOf = <Row extends z.ZodType>(row: Row) =>
  z
    .array(row)
    .nullish()
    .transform((rows) => rows ?? [])

/** Endpoints that newer Nezha servers have and the embedded server does not; older ones answer with 404. */
export const nezhaEndpoints = {
  apiTokens: endpoint('GET', 'api-tokens', { reply: listOf(apiToken) }),
  createApiToken: endpoint('POST', 'api-tokens', { body: newApiToken.form, reply: createdApiToken }),
  deleteApiToken: endpoint('DELETE', 'api-tokens/:id'),
  transfers: endpoint('GET', 'transfer', { reply: listOf(transfer) }),
  cancelTransfer: endpoint('POST', 'transfer/:id/cancel'),
  retryTransfer: endpoint('POST', 'transfer/:id/retry', { access: 'admin' }),
  /** Members may move servers to themselves only. */
  moveServers: endpoint('POST', 'batch-move/server', {
    body: z.object({ ids: z.array(z.int()), to_user: z.int().min(1) }),
    reply: moveReport,
  }),
} as const
