import { rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openReader } from '../../../../server/db/postgres/reader.ts'
import { isUnreadable } from '../../../../server/db/storeError.ts'
import { testPostgres } from '../../../support/postgres/testPostgres.ts'
import { temporaryFolder } from '../../../support/server/temporaryFolder.ts'

it('a read has ten seconds, and one that PostgreSQL refuses is a fault for the log', async () => {
  const place = await testPostgres()
  const reader = openReader(place, 'a')
  onTestFinished(reader.close)
  expect(await reader.rows('SHOW statement_timeout')).toEqual([['10s']])
  const refused = await reader.rows('SELECT FROM missing').catch((error: unknown) => error)
  expect(refused).toMatchObject({ code: '42P01' })
  expect(isUnreadable(refused)).toBe(false)
})

it('a connection begins with nothing that a pooler refuses', async () => {
  const begun: string[] = []
  const pooler = createServer((socket) => {
    socket.once('data', (bytes) => {
      begun.push(bytes.toString('latin1'))
      socket.destroy()
    })
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void pooler.close())
  await new Promise((resolve) => pooler.once('listening', resolve))
  const { port } = pooler.address() as AddressInfo
  const reader = openReader({ url: `postgres://a@127.0.0.1:${port}/a`, schema: 'a' }, 'a')
  onTestFinished(reader.close)
  expect(await reader.rows('SELECT 1').then(undefined, isUnreadable)).toBe(true)
  expect(begun[0]).toContain('application_name')
  expect(begun[0]).not.toContain('timeout')
})

it('a file of DATABASE_URL that goes while reads wait fails them, and ends nothing else', async () => {
  const authority = join(temporaryFolder(), 'authority.pem')
  writeFileSync(authority, '')
  let isAway = false
  const near = createServer((socket) => {
    socket.on('error', () => {})
    // Each connection ends once all of them have begun, so that those that wait are given new ones.
    socket.once('data', () => {
      if (!isAway) rmSync(authority)
      isAway = true
      socket.destroy()
    })
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void near.close())
  await new Promise((resolve) => near.once('listening', resolve))
  const { port } = near.address() as AddressInfo
  const url = `postgres://a@127.0.0.1:${port}/a?sslrootcert=${encodeURIComponent(authority)}`
  const reader = openReader({ url, schema: 'a' }, 'a')
  onTestFinished(reader.close)
  const reads = Array.from({ length: 10 }, () => reader.rows('SELECT 1').then(undefined, isUnreadable))
  expect(await Promise.all(reads)).toEqual(reads.map(() => true))
})
