import { randomBytes } from 'node:crypto'
import type { AppOptions } from '../../../server/app.ts'
import { maxAuditBytes, openAuditLog } from '../../../server/audit/auditLog.ts'
import { keySealedIn } from '../../../server/auth/secondFactor/secretBox.ts'
import { openAuditLines } from '../../../server/db/postgres/auditLines.ts'
import { openClusterNode } from '../../../server/db/postgres/clusterNode.ts'
import type { CommitWriter } from '../../../server/db/postgres/commitWriter.ts'
import type { PostgresPlace } from '../../../server/db/postgres/connection.ts'
import { openPostgresHistory } from '../../../server/db/postgres/postgresHistory.ts'
import type { Store } from '../../../server/db/store.ts'
import { leastHistoryDays } from '../../../src/schemas/endpoints/serviceHistory.ts'
import { ask } from './startPostgres.ts'
import { dropPlace, newPlace } from './testPostgres.ts'

/** The node of a cluster of one, for tests that are about something else. */
export interface TestNode {
  /** Empty; its transactions go to PostgreSQL. */
  store: Store
  /** What a server on this store is given, beside the store: each has an audit log and a history of its own. */
  parts(now?: () => number): Pick<AppOptions, 'cluster' | 'audit' | 'history' | 'secondFactorKey'>
  /** Ends it, and what it has stored. */
  close(): Promise<void>
}

/** Milliseconds: a machine that is busy with something else must not take the lead from a node that has no others. */
const leaseMs = 120_000

/** One for all, so that each can go on with a schema of another one. */
const key = randomBytes(32)
/** Schemas with the tables of a server and without rows: making them takes most of the start of a node. */
const emptied: PostgresPlace[] = []

export async function openTestNode(): Promise<TestNode> {
  const place = emptied.pop() ?? (await newPlace())
  /** What went wrong where nobody waits: a test must not pass over it. */
  const faults: Error[] = []
  const fault = (text: string, cause?: unknown) => void faults.push(new Error(text, { cause }))
  const log = { info: () => {}, warn: () => {}, error: fault }
  const node = await openClusterNode({
    place,
    key,
    address: '127.0.0.1:1',
    version: '1.2.3',
    log,
    onDemoted: () => fault('another node leads'),
    onLostWrite: (error) => fault('a change could not be saved', error),
    leaseMs,
  })
  const led = await node.lead()
  const { writer } = led
  let isClosed = false
  // Some tests close it themselves.
  const close = () => {
    if (!isClosed) led.store.close()
    isClosed = true
  }
  const store: Store = { ...led.store, close }
  const opened: { close(): void }[] = []
  return {
    store,
    parts(now) {
      const { id: nodeId } = node
      const storage = openAuditLines({ place, nodeId, writer, maxBytes: maxAuditBytes })
      const audit = openAuditLog({ storage, now })
      const history = openPostgresHistory({ place, nodeId, term: writer.term, days: leastHistoryDays, log })
      opened.push(audit, history)
      return {
        cluster: { key, status: node.status, load: () => loadOf(writer) },
        audit,
        history,
        secondFactorKey: keySealedIn(store, key),
      }
    },
    async close() {
      for (const one of opened) one.close()
      // What is under way would come after the others are gone.
      const isDurable = await store.durable(leaseMs)
      await node.close()
      store.close()
      if (process.env.TEST_DATABASE_URL || faults.length > 0 || !isDurable) await dropPlace(place)
      else await emptyPlace(place)
      if (faults.length > 0) throw faults[0]
    },
  }
}

/** Deletes all rows but what makes the tables in SQLite, and which term there was last. */
async function emptyPlace(place: PostgresPlace): Promise<void> {
  const kept = ['cluster', 'schema_statement', 'history_lead']
  const tables = `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
    WHERE schemaname = '${place.schema}' AND tablename NOT IN (${kept.map((name) => `'${name}'`).join()})`
  await ask(
    place,
    `DO $$ DECLARE one record; BEGIN
       FOR one IN ${tables} LOOP EXECUTE 'DELETE FROM ' || one.name; END LOOP;
     END $$`,
  )
  emptied.push(place)
}

const loadOf = ({ term, numbers, silentMs }: CommitWriter) => ({
  term,
  waiting: numbers().last - numbers().durable,
  silentMs: silentMs(),
})
