import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Entity } from '../../src/schemas/define/entity.ts'
import { listWindow } from '../../src/schemas/define/envelope.ts'
import { addAuditDetails, auditTarget } from '../http/routes/auditAction.ts'
import { describeRoute, schemaFor } from '../http/routes/openapi.ts'
import { success } from '../wire/envelope.ts'
import { readTexts } from '../wire/readIds.ts'
import { withoutEmpty } from '../wire/withoutEmpty.ts'
import type { CrudServices } from './crud.ts'
import type { WindowRows } from './entityHooks.ts'

/**
 * Registers a list that is paged by `offset` and `limit`, and its batch call by `api.batchKey`
 * (docs/contract/CONTRACT.md#512-waf-and-online-users).
 */
export function registerWindow(
  app: FastifyInstance,
  { name, api, access }: Entity,
  { rows, page, remove }: WindowRows,
  { store, guard }: Pick<CrudServices, 'store' | 'guard'>,
): void {
  const about = (verb: 'list' | 'delete') => ({ summary: `${verb} ${name}`, tag: name, access: access[verb] })
  app.get(
    `/api/v1/${api.listPath}`,
    { onRequest: guard(access.list), schema: describeRoute({ ...about('list'), data: schemaFor(listWindow) }) },
    async ({ person, query }) => {
      const { offset, limit } = windowIn(query)
      if (page) return success(framed(await page(offset, limit, { store, person }), offset, limit))
      const all = rows?.({ store, person }) ?? []
      return success(framed({ rows: all.slice(offset, offset + limit), total: all.length }, offset, limit))
    },
  )
  if (!remove) return
  app.post(
    `/api/v1/batch-delete/${api.path}`,
    {
      onRequest: guard(access.delete),
      schema: describeRoute({ ...about('delete'), body: schemaFor(z.array(z.string())) }),
      config: { auditAction: `${name}.delete` },
    },
    (request) => {
      const keys = readTexts(request.body)
      addAuditDetails(request, { target: auditTarget(api.batchKey ?? name, keys) })
      remove(keys, { store, person: request.person })
      return success()
    },
  )
}

const usualLimit = 25

function windowIn(query: unknown) {
  const { offset, limit } = query as { offset?: unknown; limit?: unknown }
  return { offset: readCount(offset), limit: readCount(limit) || usualLimit }
}

const framed = ({ rows, total }: { rows: readonly unknown[]; total: number }, offset: number, limit: number) => ({
  ...withoutEmpty({ value: rows }),
  pagination: withoutEmpty({ offset, limit, total }),
})

/** What is no whole number counts as none given. */
const readCount = (text: unknown) => (typeof text === 'string' && /^\d{1,9}$/.test(text) ? Number(text) : 0)
