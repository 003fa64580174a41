import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { bodyLimits } from '../../src/schemas/define/bodyLimits.ts'
import type { Entity } from '../../src/schemas/define/entity.ts'
import { listWindow } from '../../src/schemas/define/envelope.ts'
import type { Store } from '../db/store.ts'
import { addAuditDetails, auditTarget } from '../http/routes/auditAction.ts'
import type { Guard } from '../http/routes/guard.ts'
import { describeRoute, schemaFor } from '../http/routes/openapi.ts'
import { success } from '../wire/envelope.ts'
import { readTexts } from '../wire/readIds.ts'
import { withoutEmpty } from '../wire/withoutEmpty.ts'
import type { PagedRows } from './entityHooks.ts'

/**
 * Registers a list that is paged by `offset` and `limit`, and its batch call by `api.batchKey`
 * (docs/contract/CONTRACT.md#512-waf-and-online-users).
 */
export function registerPagedList(
  app: FastifyInstance,
  { name, api, access }: Entity,
  { all, page, remove }: PagedRows,
  { store, guard }: { store: Store; guard: Guard },
): void {
  const about = (verb: 'list' | 'delete') => ({ summary: `${verb} ${name}`, tag: name, access: access[verb] })
  app.get(
    `/api/v1/${api.listPath}`,
    { onRequest: guard(access.list), schema: describeRoute({ ...about('list'), data: schemaFor(listWindow) }) },
    async ({ person, query }) => {
      const { offset, limit } = pageIn(query)
      if (page) return success(pageReply(await page(offset, limit, { store, person }), offset, limit))
      const rows = all?.({ store, person }) ?? []
      return success(pageReply({ rows: rows.slice(offset, offset + limit), total: rows.length }, offset, limit))
    },
  )
  if (!remove) return
  app.post(
    `/api/v1/batch-delete/${api.path}`,
    {
      onRequest: guard(access.delete),
      schema: describeRoute({ ...about('delete'), body: schemaFor(z.array(z.string())) }),
      config: { auditAction: `${name}.delete` },
      bodyLimit: bodyLimits.form,
    },
    (request) => {
      const keys = readTexts(request.body)
      addAuditDetails(request, { target: auditTarget(api.batchKey ?? name, keys) })
      remove(keys, { store, person: request.person })
      return success()
    },
  )
}

const defaultLimit = 25

function pageIn(query: unknown) {
  const { offset, limit } = query as { offset?: unknown; limit?: unknown }
  return { offset: readCount(offset), limit: readCount(limit) || defaultLimit }
}

const pageReply = ({ rows, total }: { rows: readonly unknown[]; total: number }, offset: number, limit: number) => ({
  ...withoutEmpty({ value: rows }),
  pagination: withoutEmpty({ offset, limit, total }),
})

/** Anything but a whole number counts as not given. */
const readCount = (text: unknown) => (typeof text === 'string' && /^\d{1,9}$/.test(text) ? Number(text) : 0)
