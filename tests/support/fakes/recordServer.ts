import { onTestFinished, vi } from 'vitest'
import type { Row } from '../../../src/records/queryRows.ts'
import type { Entity } from '../../../src/schemas/define/entity.ts'
import { failure } from './fakeServer.ts'

/** The rows of a server, which tests read and change without the console. */
export type Rows = Record<string, Row[]>

/**
 * Answers the calls of the console's own verbs from rows in memory, for entities that the embedded server does not have
 * or that it keeps rules for. Deleting changes nothing else: whatever pointed at a record still does, as on real servers.
 *
 * @param refuse an error text for a call such as `PATCH device/1`; `undefined` lets it through
 */
export function recordServer(
  entities: readonly Entity[],
  rows: Rows,
  refuse: (call: string) => string | undefined = () => undefined,
): void {
  let lastId = Math.max(0, ...Object.values(rows).flatMap((list) => list.map(({ id }) => Number(id))))
  const listOf = (entity: Entity) => {
    rows[entity.name] ??= []
    return rows[entity.name] as Row[]
  }
  const answer = (method: string, path: string, body: unknown): unknown => {
    for (const entity of entities) {
      const list = listOf(entity)
      if (method === 'GET' && path === entity.api.listPath) return entity.api.row ? list.map(encoded(entity)) : list
      if (method === 'POST' && path === entity.api.path) {
        list.push({ ...(body as object), id: ++lastId })
        return lastId
      }
      if (method === 'POST' && path === `batch-delete/${entity.api.path}`) {
        rows[entity.name] = list.filter(({ id }) => !(body as unknown[]).includes(id))
        return null
      }
      const id = path.startsWith(`${entity.api.path}/`) ? path.slice(entity.api.path.length + 1) : undefined
      if (method === 'PATCH' && id !== undefined) {
        rows[entity.name] = list.map((row) => (String(row.id) === id ? { ...(body as object), id: row.id } : row))
        return null
      }
    }
    return failure('404 Not Found', 404)
  }
  vi.stubGlobal('fetch', async (url: string, { method = 'GET', body }: RequestInit = {}) => {
    const path = url.replace('/api/v1/', '')
    const refusal = refuse(`${method} ${path}`)
    if (refusal !== undefined) return failure(refusal)
    const data = answer(method, path, body ? JSON.parse(String(body)) : undefined)
    return data instanceof Response ? data : Response.json({ success: true, data })
  })
  onTestFinished(() => void vi.unstubAllGlobals())
}

const encoded = (entity: Entity) => (row: Row) => entity.api.row?.encode(row as never)
