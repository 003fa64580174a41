import type { FastifyInstance } from 'fastify'
import {
  terminalEndpoints as endpoints,
  type SharedSnippet,
  snippetLimits,
} from '../../src/schemas/endpoints/terminalEndpoints.ts'
import type { Store } from '../db/store.ts'
import { addAuditDetails, auditNames, auditTarget, route } from '../http/routes/route.ts'
import { ApiError } from '../wire/apiError.ts'
import { bodyReader } from '../wire/readJson.ts'

interface Snippets {
  last: number
  items: SharedSnippet[]
}

const storeKey = 'snippets'

/** Snippets that everybody has, and administrators change. At most 800 KB of text: one value of the store. */
export function registerSnippets(app: FastifyInstance, store: Store): void {
  const read = (): Readonly<Snippets> => store.value<Snippets>(storeKey) ?? { last: 0, items: [] }

  function find(id: number): SharedSnippet {
    const snippet = read().items.find((one) => one.id === id)
    if (!snippet) throw new ApiError('this snippet does not exist any more')
    return snippet
  }

  route(app, 'snippets', endpoints.snippets, () => read().items)
  route(
    app,
    { name: 'saveSnippet', audit: 'snippet.update' },
    endpoints.saveSnippet,
    bodyReader(endpoints.saveSnippet),
    (request) => {
      const { id, name, text } = request.body
      const { last, items } = read()
      if (id !== undefined) find(id)
      if (items.some((one) => one.name === name && one.id !== id)) {
        throw new ApiError('there is a shared snippet of that name already')
      }
      if (id === undefined && items.length >= snippetLimits.count) {
        throw new ApiError(`there can be ${snippetLimits.count} shared snippets: delete one first`)
      }
      const saved = { id: id ?? last + 1, name, text }
      const others = items.filter((one) => one.id !== saved.id)
      store.setValue(storeKey, {
        last: Math.max(last, saved.id),
        items: [...others, saved].sort((a, b) => a.id - b.id),
      })
      addAuditDetails(request, { target: auditTarget('snippet', [saved.id]), detail: auditNames([name]) })
    },
  )
  route(app, { name: 'deleteSnippet', audit: 'snippet.delete' }, endpoints.deleteSnippet, (request) => {
    const { id, name } = find(request.params.id)
    const { last, items } = read()
    store.setValue(storeKey, { last, items: items.filter((one) => one.id !== id) })
    addAuditDetails(request, { target: auditTarget('snippet', [id]), detail: auditNames([name]) })
  })
}
