import { type AddressInfo, createServer } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { openReader } from '../../../../server/db/postgres/reader.ts'
import { isUnreadable } from '../../../../server/db/storeError.ts'
import { testPostgres } from '../../../support/postgres/testPostgres.ts'

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
