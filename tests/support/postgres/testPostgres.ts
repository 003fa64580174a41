import { randomBytes } from 'node:crypto'
import { onTestFinished } from 'vitest'
import type { PostgresPlace } from '../../../server/db/postgres/connection.ts'
import { ask, startPostgres } from './startPostgres.ts'

/** PostgreSQL of this process: `TEST_DATABASE_URL` where it is set, else one that is started here and ends with it. */
let server: Promise<string> | undefined

/** A schema that nobody else uses. */
export async function newPlace(): Promise<PostgresPlace> {
  server ??= process.env.TEST_DATABASE_URL ? Promise.resolve(process.env.TEST_DATABASE_URL) : startPostgres()
  return { url: await server, schema: `wheelhouse_${randomBytes(6).toString('hex')}` }
}

export async function dropPlace(place: PostgresPlace): Promise<void> {
  await ask(place, `DROP SCHEMA IF EXISTS "${place.schema}" CASCADE`)
}

/** A schema that nobody else uses, and that goes with the test. */
export async function testPostgres(): Promise<PostgresPlace> {
  const place = await newPlace()
  onTestFinished(() => dropPlace(place))
  return place
}
