import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { changeEndpoints } from '../../src/schemas/endpoints/changeEndpoints.ts'
import { type ChangeFilter, type ChangeRow, changeLogOf, recordKey } from '../changes/changeLog.ts'
import { withOrigin } from '../changes/changeOrigin.ts'
import { repeat } from '../concurrency/repeat.ts'
import type { Store } from '../db/store.ts'
import { route } from '../http/routes/route.ts'
import type { Log } from '../log.ts'
import { isAdmin, ownersOf, type Person } from '../person.ts'
import { ApiError, pageIn, pageReply, timestamp } from '../wire/apiCall.ts'

const maxPageSize = 1000

/** Milliseconds between two looks whether some are too old. */
const removalMs = 3_600_000

interface ChangesOptions {
  store: Store
  log: Pick<Log, 'error'>
  /** The time by which history is too old, in milliseconds since 1970. */
  retentionNow: () => number
}

/** The history of changes: remembers who makes a request, and lists the changes. */
export const changesPlugin = fp(
  async (app: FastifyInstance, { store, log: serverLog, retentionNow }: ChangesOptions) => {
    const log = changeLogOf(store)
    const failure = 'Old changes could not be removed:'
    const removal = repeat(() => log.removeOld(retentionNow()), { intervalMs: removalMs, log: serverLog, failure })
    app.addHook('onListen', async () => removal.start())
    app.addHook('preClose', async () => removal.stop())
    // After the guard has found out who it is. The request itself is handed on, because its address is read late.
    app.addHook('preHandler', (request, _reply, done) => withOrigin(request, done))

    route(app, 'changes', changeEndpoints.changes, ({ person, query }) => {
      const { offset, limit } = pageIn(query)
      const size = Math.min(limit, maxPageSize)
      const filter = filterOf(query, person)
      const toWire = (row: ChangeRow) => wireChange(row, person)
      const { after = '' } = query
      if (after === '') {
        const { rows, total } = log.page(filter, offset, size)
        return pageReply({ rows: rows.map(toWire), total }, offset, size)
      }
      const found = log.since(readNumber('after', after), filter, person?.id ?? 0)
      const rows = found.slice(offset, offset + size).map(toWire)
      return pageReply({ rows, total: found.length }, offset, size)
    })
  },
  { name: 'changes', dependencies: ['security'] },
)

/** @throws ApiError for an id that is not a number, or that comes without an entity */
function filterOf(
  { entity = '', id = '' }: { entity?: string; id?: string },
  person: Person | undefined,
): ChangeFilter {
  if (id !== '' && entity === '') throw new ApiError('id needs entity')
  return {
    ...(id !== '' ? { record: recordKey(entity, readNumber('id', id)) } : entity !== '' && { entity }),
    ...(!isAdmin(person) && { owner_id: ownersOf(person) }),
  }
}

function readNumber(name: string, text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new ApiError(`${name} must be a whole number`)
  return Number(text)
}

function wireChange({ record: _record, owner_id: _owner, ...row }: ChangeRow, person: Person | undefined) {
  const { user_id, username, address, at, ...rest } = row
  const isShown = address !== '' && (isAdmin(person) || user_id === person?.id)
  return {
    ...rest,
    at: timestamp(at),
    ...(user_id !== 0 && { user_id, username }),
    ...(isShown && { address }),
  }
}
