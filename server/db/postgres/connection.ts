import { Client, type ClientConfig, DatabaseError } from 'pg'
import { errorCode, errorMessage } from '../../../src/domain/errors.ts'
import { StoreError } from '../storeError.ts'
import { quoteName } from './columnTypes.ts'

/** Which database, and which of its schemas. */
export interface PostgresPlace {
  /** `postgres://user:password@host:port/database?sslmode=…` */
  url: string
  /** The name of the schema, not quoted. */
  schema: string
}

/** Milliseconds in which PostgreSQL has to take a connection, and answer a statement. */
export const answerMs = 4000

/**
 * A connection on which everything comes as text.
 * @param nodeId by which other nodes find this connection
 * @param onEnd called when it has ended, also when nobody waits for an answer
 */
export async function connect(place: PostgresPlace, nodeId: string, onEnd: () => void = () => {}): Promise<Client> {
  const client = new Client(plainConfig(place, nodeId))
  client.on('error', () => {})
  client.once('end', onEnd)
  await client.connect()
  return client
}

/** Of a connection on which everything comes as text. */
export const plainConfig = ({ url }: PostgresPlace, nodeId: string): ClientConfig => ({
  connectionString: url,
  connectionTimeoutMillis: answerMs,
  keepAlive: true,
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

/** Runs statements in one round trip. One that is not answered in time ends the connection. */
export async function run(client: Client, statements: string, timeoutMs = answerMs): Promise<void> {
  const timer = setTimeout(() => drop(client), timeoutMs)
  try {
    await client.query(statements)
  } finally {
    clearTimeout(timer)
  }
}

/** Reads rows, each as the texts of its columns. */
export async function readRows(
  client: Client,
  statement: string,
  values: readonly (string | number | null)[] = [],
  timeoutMs = answerMs,
): Promise<(string | null)[][]> {
  const timer = setTimeout(() => drop(client), timeoutMs)
  try {
    const { rows } = await client.query<(string | null)[]>({ text: statement, values: [...values], rowMode: 'array' })
    return rows
  } finally {
    clearTimeout(timer)
  }
}

export const quotedSchema = ({ schema }: PostgresPlace): string => quoteName(schema)

/** Where the leader tells that there is something new, quoted. */
export const changesChannel = ({ schema }: PostgresPlace): string => quoteName(`wheelhouse ${schema}`)

/** Our own code of an error: somebody else leads, or has led. */
export const fencedCode = 'WH001'

export const isFenced = (error: unknown): boolean => error instanceof DatabaseError && error.code === fencedCode

/** Whether it is PostgreSQL that refuses, and will again; anything else is a matter of the network or of the moment. */
export function isRefused(error: unknown): error is DatabaseError {
  // Connection, transaction to be tried again, resources, and an operator who stops or starts it.
  return error instanceof DatabaseError && !/^(08|40|53|55|57|58)|^25006/.test(error.code ?? '')
}

/** A failure at the start in a sentence for the operator, without the password of the URL. */
export function connectionError({ url }: PostgresPlace, error: unknown): StoreError {
  if (error instanceof StoreError) return error
  const { hostname, port, pathname, searchParams } = new URL(url)
  const where = `${hostname || 'this machine'}${port ? `:${port}` : ''}${pathname}`
  return new StoreError(
    `PostgreSQL at ${where} cannot be used (${errorMessage(error) || errorCode(error)}): ${adviceFor(error, searchParams)}.`,
    { cause: error },
  )
}

function adviceFor(error: unknown, words: URLSearchParams): string {
  const code = error instanceof DatabaseError ? error.code : errorCode(error)
  if (code === '25006') return 'it is a replica, which takes no writes; name the one that it follows in DATABASE_URL'
  if (code === '42501')
    return 'give this user rights on one schema, as with CREATE SCHEMA wheelhouse AUTHORIZATION its_name'
  if (code === '28000' && !words.has('sslmode')) return 'if it wants TLS, add sslmode=verify-full to DATABASE_URL'
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return 'name it in DATABASE_URL as its certificate does'
  if (/SELF_SIGNED|UNABLE_TO_(VERIFY|GET)/.test(code ?? ''))
    return 'if an authority of your own has signed its certificate, add sslrootcert=FILE with that of the authority to DATABASE_URL'
  return 'check DATABASE_URL, that it runs, and what this user may do there'
}
