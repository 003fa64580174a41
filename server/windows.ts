import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Entity } from '../src/schemas/entity.ts'
import { listWindow } from '../src/schemas/envelope.ts'
import type { WindowRows } from './behaviours/behaviour.ts'
import type { CrudServices } from './crud.ts'
import { success } from './envelope.ts'
import { describeRoute, schemaFor } from './openapi.ts'
import { withoutEmpty } from './wire/encodeRow.ts'
import { readTexts } from './wire/readIds.ts'

/** Registers a list that is paged by `offset` and `limit`, and its batch call by `api.batchKey` (CONTRACT 5.12). */
export function registerWindow(
  app: FastifyInstance,
  { name, api, access }: Entity,
  { rows, remove }: WindowRows,
  { store, guard }: Pick<CrudServices, 'store' | 'guard'>,
): void {
  const about = (verb: 'list' | 'delete') => ({ summary: `${verb} ${name}`, tag: name, access: access[verb] })
  app.get(
    `/api/v1/${api.listPath}`,
    { onRequest: guard(access.list), schema: describeRoute({ ...about('list'), data: schemaFor(listWindow) }) },
    ({ person, query }) => success(pageOf(rows({ store, person }), query)),
  )
  if (!remove) return
  app.post(
    `/api/v1/batch-delete/${api.path}`,
    {
      onRequest: guard(access.delete),
      schema: describeRoute({ ...about('delete'), body: schemaFor(z.array(z.string())) }),
    },
    ({ person, body }) => {
      remove(readTexts(body), { store, person })
      return success()
    },
  )
}

const usualLimit = 25

function pageOf<Row>(rows: readonly Row[], query: unknown) {
  const { offset: from, limit: size } = query as { offset?: unknown; limit?: unknown }
  const offset = readCount(from)
  const limit = readCount(size) || usualLimit
  return {
    ...withoutEmpty({ value: rows.slice(offset, offset + limit) }),
    pagination: withoutEmpty({ offset, limit, total: rows.length }),
  }
}

/** What is no whole number counts as none given. */
const readCount = (text: unknown) => (typeof text === 'string' && /^\d{1,9}$/.test(text) ? Number(text) : 0)
