import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Entity } from '../../src/schemas/define/entity.ts'
import { listWindow } from '../../src/schemas/define/envelope.ts'
import { bodyLimits } from '../../src/schemas/define/limits.ts'
import type { Store } from '../db/store.ts'
import type { Guard } from '../http/routes/guard.ts'
import { schemaFor } from '../http/routes/openapi.ts'
import { addAuditDetails, auditTarget } from '../http/routes/route.ts'
import { success } from '../wire/envelope.ts'
import { pageIn, pageReply } from '../wire/page.ts'
import { readTexts } from '../wire/readIds.ts'
import type { PagedRows } from './entityHooks.ts'
import { readListFilter } from './listFilter.ts'

/**
 * Registers a list that is paged by `offset` and `limit`, and its batch call by `api.batchKey`
 * (docs/contract/CONTRACT.md#512-waf-and-online-users).
 */
export function registerPagedList(
  app: FastifyInstance,
  entity: Entity,
  { all, page, remove, filters }: PagedRows,
  { store, guard }: { store: Store; guard: Guard },
): void {
  const { name, api, access, scopes } = entity
  const queryOfPage = () => pageQuery.extend(api.filters?.partial().shape ?? {})
  const tokensOf = (verb: 'list' | 'delete') => ({ scopes: scopes[verb] && [scopes[verb]] })
  const about = (verb: 'list' | 'delete') => ({
    summary: `${verb} ${name}`,
    tag: name,
    access: access[verb],
    tokens: tokensOf(verb),
  })
  app.get(
    `/api/v1/${api.listPath}`,
    {
      onRequest: guard(access.list, tokensOf('list')),
      config: {
        listedEntity: entity,
        describe: () => ({ ...about('list'), query: schemaFor(queryOfPage()), data: schemaFor(listWindow) }),
      },
    },
    async ({ person, query }) => {
      const { offset, limit } = pageIn(query)
      const filter = readListFilter(entity, query, filters)
      if (page) return success(pageReply(await page(offset, limit, { store, person }, filter), offset, limit))
      const shown = all?.({ store, person }) ?? []
      const rows = filter ? shown.filter(filter.matches) : shown
      return success(pageReply({ rows: rows.slice(offset, offset + limit), total: rows.length }, offset, limit))
    },
  )
  if (!remove) return
  app.post(
    `/api/v1/batch-delete/${api.path}`,
    {
      onRequest: guard(access.delete, tokensOf('delete')),
      config: {
        auditAction: `${name}.delete`,
        describe: () => ({ ...about('delete'), body: schemaFor(z.array(z.string())) }),
      },
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

const pageQuery = z.object({ offset: z.int().optional(), limit: z.int().optional() })
