import { randomBytes } from 'node:crypto'
import { onTestFinished } from 'vitest'
import type { PostgresPlace } from '../../../server/db/postgres/connection.ts'
import { ask } from './startPostgres.ts'

/** A user with a password that has to be written otherwise in an address. */
export async function newRole({ url }: PostgresPlace) {
  const name = `role_${randomBytes(6).toString('hex')}`
  const password = 'p@ss:w/rd#%?ä'
  await ask({ url }, `CREATE ROLE ${name} LOGIN PASSWORD '${password}'`)
  onTestFinished(() => ask({ url }, `DROP OWNED BY ${name}; DROP ROLE ${name}`).then(() => {}))
  const own = new URL(url)
  own.username = name
  own.password = encodeURIComponent(password)
  return { name, url: own.href }
}
