import { migrations } from '../migrations/index.ts'
import { connectionError, type PostgresPlace, quotedSchema, readRows, withConnection } from './connection.ts'
import { keyCheckOf } from './newCluster.ts'
import { readCluster } from './ownTables.ts'

/** What a look at PostgreSQL from outside of the servers finds. */
export interface PostgresFacts {
  /** Of PostgreSQL itself, as `18.4`. */
  version: string
  /** `none` before the first start of a server. */
  cluster: 'none' | 'other key' | 'newer' | 'led' | 'without leader'
}

/** @throws StoreError with a sentence for the operator */
export async function inspectPostgres(place: PostgresPlace, key: Buffer): Promise<PostgresFacts> {
  try {
    return await withConnection(place, 'doctor', async (client) => {
      const [server] = await readRows(client, 'SHOW server_version')
      const version = server?.[0] ?? ''
      const [found] = await readRows(client, 'SELECT to_regclass($1)', [`${quotedSchema(place)}.cluster`])
      const state = found?.[0] == null ? undefined : await readCluster(client, place)
      if (!state) return { version, cluster: 'none' }
      if (state.keyCheck !== keyCheckOf(key)) return { version, cluster: 'other key' }
      if (state.version > migrations.length) return { version, cluster: 'newer' }
      return { version, cluster: state.node && state.silentMs < silentMs ? 'led' : 'without leader' }
    })
  } catch (error) {
    throw connectionError(place, error)
  }
}

/** Milliseconds after which another node leads, or none is there. */
const silentMs = 10_000
