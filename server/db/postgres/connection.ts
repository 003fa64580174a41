import { Client, type ClientConfig, DatabaseError } from 'pg'
import { errorCode, errorMessage } from '../../../src/domain/errors.ts'
import { StoreError } from '../storeError.ts'
import { quoteName } from './columnTypes.ts'
import { staleCode, type TimelineMemory } from './timeline.ts'

/** Which database, and which of its schemas. */
export interface PostgresPlace {
  /** `postgres://user:password@host:port/database?sslmode=…` */
  url: string
  /** The name of the schema, not quoted. */
  schema: string
  /** Refuses a primary of before, where this is a node of a cluster. */
  timeline?: TimelineMemory
}

/** Milliseconds in which PostgreSQL has to take a connection, and answer a statement. */
export const answerMs = 4000

/** Milliseconds of silence until the system looks whether the other end is there: firewalls forget what is silent for long. */
const probeMs = 10_000

/**
 * What an operator may have set otherwise for a user or a database. Statements have their times here, and a connection that
 * waits is needed; texts and bytes are written and read in one way; and compiling pays for statements of minutes, not for ours.
 */
const ownSettings = {
  statement_timeout: '0',
  lock_timeout: '0',
  transaction_timeout: '0',
  // A node that stands still between two statements has locks that others wait for; a busy one reads tables in between.
  idle_in_transaction_session_timeout: '2min',
  idle_session_timeout: '0',
  standard_conforming_strings: 'on',
  bytea_output: 'hex',
  extra_float_digits: '1',
  jit: 'off',
}

/**
 * Makes a new connection independent of what is set for the user and the database. At its start, a pooler such as PgBouncer
 * would refuse it. What a version of PostgreSQL does not know is left out.
 */
export const settingsStatement = `SELECT set_config(name, value, false) FROM (VALUES ${Object.entries(ownSettings)
  .map(([name, value]) => `('${name}', '${value}')`)
  .join(', ')}) AS own (name, value) WHERE current_setting(name, true) IS NOT NULL`

/**
 * A connection on which everything comes as text.
 * @param nodeId by which other nodes find this connection
 * @param onEnd called when it has ended, also when nobody waits for an answer
 */
export async function connect(place: PostgresPlace, nodeId: string, onEnd: () => void = () => {}): Promise<Client> {
  const client = new Client(plainConfig(place, nodeId))
  client.on('error', () => {})
  client.once('end', onEnd)
  const stop = afterWaiting(answerMs, () => client.connection.stream.destroy(new Error('timeout expired')))
  try {
    await client.connect()
    await run(client, settingsStatement)
    await place.timeline?.check(client)
    return client
  } catch (error) {
    // Also where only this side refuses, as for want of a password: PostgreSQL would wait for it for a minute.
    drop(client)
    throw error
  } finally {
    stop()
  }
}

/** Of a connection on which everything comes as text. */
export const plainConfig = ({ url }: PostgresPlace, nodeId: string): ClientConfig => ({
  connectionString: url,
  keepAlive: true,
  keepAliveInitialDelayMillis: probeMs,
  application_name: applicationName(nodeId),
  types: { getTypeParser: () => (value: string) => value },
})

export const applicationName = (nodeId: string) => `wheelhouse ${nodeId}`

/** Ends a connection at once, also one that does not answer. */
export function drop(client: Client | undefined): void {
  client?.connection.stream.destroy()
}

/** Works on a connection of its own, which ends with the work. @param nodeId as for `connect` */
export async function withConnection<T>(
  place: PostgresPlace,
  nodeId: string,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = await connect(place, nodeId)
  try {
    return await work(client)
  } finally {
    drop(client)
  }
}

/** Parts of a time, of which one passes while this process is busy. */
const waitingParts = 8

/**
 * Acts when this process has waited for so long. A time in which it was busy or stopped counts as an eighth at most: what
 * it waits for may be there, and only not read.
 * @returns what ends the wait
 */
export function afterWaiting(ms: number, act: () => void): () => void {
  let passed = 0
  const timer = setInterval(() => {
    passed++
    if (passed < waitingParts) return
    clearInterval(timer)
    act()
  }, ms / waitingParts)
  // The connection keeps the process going.
  timer.unref()
  return () => clearInterval(timer)
}

/** Runs statements in one round trip. One that is not answered in time ends the connection. */
export async function run(client: Client, statements: string, timeoutMs = answerMs): Promise<void> {
  const stop = afterWaiting(timeoutMs, () => drop(client))
  try {
    await client.query(statements)
  } finally {
    stop()
  }
}

/** Reads rows, each as the texts of its columns. */
export async function readRows(
  client: Client,
  statement: string,
  values: readonly (string | number | null)[] = [],
  timeoutMs = answerMs,
): Promise<(string | null)[][]> {
  const stop = afterWaiting(timeoutMs, () => drop(client))
  try {
    const { rows } = await client.query<(string | null)[]>({ text: statement, values: [...values], rowMode: 'array' })
    return rows
  } finally {
    stop()
  }
}

export const quotedSchema = ({ schema }: PostgresPlace): string => quoteName(schema)

/** Where the leader tells that there is something new, quoted. */
export const changesChannel = ({ schema }: PostgresPlace): string => quoteName(`wheelhouse ${schema}`)

/** Of PostgreSQL, for what a replica does not do. */
export const replicaCode = '25006'

/** Our own code of an error: somebody else leads, or has led. */
export const fencedCode = 'WH001'

export const isFenced = (error: unknown): boolean => error instanceof DatabaseError && error.code === fencedCode

/** Whether it is PostgreSQL that refuses, and will again; anything else is a matter of the network or of the moment. */
export function isRefused(error: unknown): error is DatabaseError {
  // Connection, password, no such database for now, transaction to be tried again, resources, an operator who stops or
  // starts it; a replica, and a transaction that took too long.
  return error instanceof DatabaseError && !/^(08|28|3D|40|53|55|57|58)|^25(006|P03|P04)/.test(error.code ?? '')
}

/** A failure in a sentence for the operator, without the password of the URL. */
export function connectionError(place: PostgresPlace, error: unknown): StoreError {
  if (error instanceof StoreError) return error
  const { hostname, port, pathname } = new URL(place.url)
  const where = `${hostname || 'this machine'}${port ? `:${port}` : ''}${pathname}`
  const advice = adviceFor(place, error) ?? 'check DATABASE_URL, that it runs, and what this user may do there'
  return new StoreError(
    `PostgreSQL at ${where} cannot be used (${errorMessage(error) || errorCode(error)}): ${advice}.`,
    { cause: error },
  )
}

/** What to do about a failure; `undefined` where that does not follow from it. */
export function adviceFor({ url }: PostgresPlace, error: unknown): string | undefined {
  const { searchParams: words } = new URL(url)
  const code = error instanceof DatabaseError ? error.code : errorCode(error)
  if (code === replicaCode)
    return 'it is a replica, which takes no writes; name the one that it follows in DATABASE_URL'
  if (code === staleCode)
    return 'stop it, and let it follow the one in its place (pg_rewind) or name that one in DATABASE_URL; where an older state was restored on purpose, delete database-timeline.json in the data folders and start the servers again'
  if (code === '42501')
    return 'give this user rights on one schema, as with CREATE SCHEMA wheelhouse AUTHORIZATION its_name'
  if (code === '28000' && !words.has('sslmode') && /no encryption|SSL off/.test(errorMessage(error)))
    return 'if it wants TLS, add sslmode=verify-full to DATABASE_URL'
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return 'name it in DATABASE_URL as its certificate does'
  if (/SELF_SIGNED|UNABLE_TO_(VERIFY|GET)/.test(code ?? ''))
    return 'if an authority of your own has signed its certificate, add sslrootcert=FILE with that of the authority to DATABASE_URL'
  if (code?.startsWith('28'))
    return 'if the user or the password was changed, start this server with the present ones in DATABASE_URL'
  if (code === '53300')
    return 'all connections of PostgreSQL or of this user are taken, and each server needs ten: raise the limit (max_connections)'
  if (code === '53100') return 'free some space on its disk'
  if (/CERT(IFICATE)?_(HAS_)?EXPIRED/.test(code ?? '')) return 'a certificate has run out: renew it'
  return undefined
}
