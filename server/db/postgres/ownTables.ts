import type { Client } from 'pg'
import { StoreError } from '../storeError.ts'
import { applicationName, fencedCode, type PostgresPlace, quotedSchema, readRows, run } from './connection.ts'
import { leadStatements } from './historyTables.ts'

/** Tells this cluster from others whose nodes have the same key. */
const identityColumn = 'identity uuid NOT NULL DEFAULT gen_random_uuid()'

/** A number for the advisory lock of who leads, which is the same for all nodes of a schema. */
export const lockNumber = ({ schema }: PostgresPlace): string => `hashtextextended('wheelhouse ' || '${schema}', 0)`

/**
 * Makes the schema and the tables of the cluster where they are missing. Two nodes may do so at the same moment.
 * @throws StoreError where the database cannot hold every text
 */
export async function createOwnTables(client: Client, place: PostgresPlace): Promise<void> {
  const schema = quotedSchema(place)
  const [encoding] = (await readRows(client, 'SHOW server_encoding'))[0] ?? []
  // One character that it cannot hold, and nothing could be saved any more: a stranger may send one, and the log keeps it.
  if (encoding !== 'UTF8')
    throw new StoreError(
      `The database of DATABASE_URL has the encoding ${encoding}: make one with ENCODING 'UTF8' TEMPLATE template0, and use that.`,
    )
  const [found] = await readRows(client, 'SELECT 1 FROM pg_namespace WHERE nspname = $1', [place.schema])
  if (found) await refuseForeignTables(client, place)
  const column = 'SELECT 1 FROM pg_attribute WHERE attrelid = to_regclass($1) AND attname = $2'
  const [isOlder] = await readRows(client, `SELECT to_regclass($1) IS NOT NULL AND NOT EXISTS (${column})`, [
    `${schema}.cluster`,
    'identity',
  ])
  const statements = `
    SELECT pg_advisory_xact_lock(${lockNumber(place)} + 1);
    ${found ? '' : `CREATE SCHEMA IF NOT EXISTS ${schema};`}
    CREATE TABLE IF NOT EXISTS ${schema}.cluster (
      id boolean PRIMARY KEY DEFAULT true CHECK (id), key_check text NOT NULL, version bigint NOT NULL,
      term bigint NOT NULL, last_commit bigint NOT NULL,
      node text, address text, backend integer, heartbeat timestamptz, ${identityColumn});
    ${isOlder?.[0] === 't' ? `ALTER TABLE ${schema}.cluster ADD COLUMN IF NOT EXISTS ${identityColumn};` : ''}
    CREATE TABLE IF NOT EXISTS ${schema}.cluster_node (
      id text PRIMARY KEY, address text NOT NULL, version text NOT NULL, since timestamptz NOT NULL,
      seen timestamptz NOT NULL, applied bigint NOT NULL);
    CREATE TABLE IF NOT EXISTS ${schema}.leader_change (
      term bigint PRIMARY KEY, at timestamptz NOT NULL DEFAULT clock_timestamp(), node text NOT NULL, address text NOT NULL);
    CREATE TABLE IF NOT EXISTS ${schema}.commit_log (
      number bigint PRIMARY KEY, term bigint NOT NULL, at timestamptz NOT NULL DEFAULT clock_timestamp(),
      statements json NOT NULL, changes bytea NOT NULL);
    CREATE TABLE IF NOT EXISTS ${schema}.schema_statement (
      place bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, statement text NOT NULL);
    CREATE TABLE IF NOT EXISTS ${schema}.sequence (name text PRIMARY KEY, value bigint NOT NULL);
    CREATE TABLE IF NOT EXISTS ${schema}.audit_line (number bigint PRIMARY KEY, ends bigint NOT NULL UNIQUE, line text NOT NULL);
    ${leadStatements(schema)}
    ${functions(schema)}`
  await run(client, statements)
}

/**
 * Before there is anything of ours, a schema has to be empty: tables of others may have names that ours will have. What
 * belongs to an extension of PostgreSQL is no matter.
 */
async function refuseForeignTables(client: Client, { schema }: PostgresPlace): Promise<void> {
  const names = await readRows(
    client,
    `SELECT relname FROM pg_class WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = $1)
       AND relkind IN ('r', 'p', 'v', 'm', 'f')
       AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e')
       AND NOT EXISTS (SELECT FROM pg_attribute JOIN pg_class own ON own.oid = attrelid
         WHERE own.relnamespace = pg_class.relnamespace AND own.relname = 'cluster' AND attname = 'key_check')
     ORDER BY relname LIMIT 4`,
    [schema],
  )
  if (names.length === 0) return
  const some = [...names.slice(0, 3).map(([name]) => name), ...(names.length > 3 ? ['…'] : [])].join(', ')
  throw new StoreError(
    `The schema ${schema} in PostgreSQL has tables of something else (${some}): name another one with WHEELHOUSE_SCHEMA, which is made where it is missing.`,
  )
}

/** What refuses commits of an old term or out of order, and a leader whose term is over. */
const functions = (schema: string) => `
  CREATE OR REPLACE FUNCTION ${schema}.begin_commits(own_term bigint, first bigint, count bigint) RETURNS void
  LANGUAGE plpgsql AS $$ BEGIN
    UPDATE ${schema}.cluster SET last_commit = last_commit + count, heartbeat = clock_timestamp()
    WHERE term = own_term AND last_commit = first - 1;
    IF NOT FOUND THEN RAISE EXCEPTION 'another node leads' USING ERRCODE = '${fencedCode}'; END IF;
  END $$;
  CREATE OR REPLACE FUNCTION ${schema}.renew(own_term bigint) RETURNS void
  LANGUAGE plpgsql AS $$ BEGIN
    UPDATE ${schema}.cluster SET heartbeat = clock_timestamp() WHERE term = own_term;
    IF NOT FOUND THEN RAISE EXCEPTION 'another node leads' USING ERRCODE = '${fencedCode}'; END IF;
  END $$;`

/**
 * Ends the connection of a node that holds the lock of who leads, for as long as PostgreSQL takes it for open. A leader that
 * was heard of since `state` was read is left alone: whoever judges may have been stopped meanwhile.
 */
export async function endLockHolder(
  client: Client,
  place: PostgresPlace,
  { pid, heartbeat }: { pid: number; heartbeat: string | undefined },
): Promise<void> {
  await readRows(
    client,
    `SELECT pg_terminate_backend(pid) FROM (${lockHolder(place)}) AS holder, ${quotedSchema(place)}.cluster
     WHERE pid = $1 AND heartbeat::text IS NOT DISTINCT FROM $2`,
    [pid, heartbeat ?? null],
  )
}

/** Ends a connection of this node from before that holds it. PostgreSQL may not know yet that it has ended. */
export async function endOwnLock(client: Client, place: PostgresPlace, nodeId: string): Promise<void> {
  const ended = `SELECT pg_terminate_backend(pid) FROM (${lockHolder(place)}) AS holder WHERE application_name = $1`
  await readRows(client, ended, [applicationName(nodeId)])
}

/** The process of PostgreSQL whose connection, of a node, holds the lock of who leads. */
export async function readLockHolder(client: Client, place: PostgresPlace): Promise<number | undefined> {
  const [row] = await readRows(client, lockHolder(place))
  return row && Number(row[0])
}

/** The parts of the number are how PostgreSQL shows it. */
const lockHolder = (place: PostgresPlace) => `
  SELECT pid, application_name FROM pg_locks JOIN pg_stat_activity USING (pid)
  WHERE locktype = 'advisory' AND objsubid = 1 AND granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND (classid::bigint << 32) | objid::bigint = ${lockNumber(place)}
    AND application_name LIKE '${applicationName('%')}'`

/** What the row of the cluster says. */
export interface ClusterState {
  identity: string
  keyCheck: string
  /** How many migrations the tables have taken. */
  version: number
  term: number
  lastCommit: number
  /** The leader; `undefined` when the last one ended by its will. */
  node: string | undefined
  address: string | undefined
  /** The process of PostgreSQL that the leader is connected to. */
  backend: number
  /** When the leader was last heard of, by the clock of PostgreSQL and as it writes it. */
  heartbeat: string | undefined
  /** Milliseconds since then, by that clock: less than none where it was set back. */
  silentMs: number
  /** Whether another PostgreSQL has heard of it, of which this one was a replica or is a restore. */
  isReplicated: boolean
}

/** @returns `undefined` before the first node has filled the tables */
export async function readCluster(client: Client, place: PostgresPlace): Promise<ClusterState | undefined> {
  const [row] = await readRows(
    client,
    `SELECT identity, key_check, version, term, last_commit, node, address, backend,
       heartbeat, extract(epoch FROM clock_timestamp() - heartbeat) * 1000,
       heartbeat <= pg_last_xact_replay_timestamp() FROM ${quotedSchema(place)}.cluster`,
  )
  if (!row) return undefined
  const [identity, keyCheck, version, term, lastCommit, node, address, backend, heartbeat, silentMs, isReplicated] = row
  return {
    identity: identity ?? '',
    keyCheck: keyCheck ?? '',
    version: Number(version),
    term: Number(term),
    lastCommit: Number(lastCommit),
    node: node ?? undefined,
    address: address ?? undefined,
    backend: Number(backend ?? 0),
    heartbeat: heartbeat ?? undefined,
    silentMs: silentMs == null ? Number.POSITIVE_INFINITY : Number(silentMs),
    isReplicated: isReplicated === 't',
  }
}
