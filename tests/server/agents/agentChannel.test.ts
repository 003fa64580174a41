import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Client, type ClientDuplexStream, credentials, Metadata } from '@grpc/grpc-js'
import { loadSync, type ServiceDefinition } from '@grpc/proto-loader'
import { expect, it, onTestFinished, vi } from 'vitest'
import { usersIn } from '../../../server/auth/users/users.ts'
import { cachedRows } from '../../../server/db/cachedRows.ts'
import { entityTable } from '../../../server/entities/entityTable.ts'
import type { Machines } from '../../../server/machines/machines.ts'
import { createMachines } from '../../../server/machines/machines.ts'
import { server as servers } from '../../../src/schemas/server.ts'
import { root } from '../../support/root.ts'
import { signedIn, testServer } from '../../support/server/testServer.ts'

const { 'proto.NezhaService': service } = loadSync(join(root, 'docs/contract/agent.proto'), {
  keepCase: true,
  longs: Number,
}) as Record<string, ServiceDefinition>

type Stream = ClientDuplexStream<object, Record<string, unknown>>

/** A client of the channel that does nothing by itself. */
function connect(port: number, given: Record<string, string>) {
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure(), { 'grpc.use_local_subchannel_pool': 1 })
  onTestFinished(() => client.close())
  const metadata = new Metadata()
  for (const [name, value] of Object.entries(given)) metadata.set(name, value)
  const method = (name: string) => {
    const found = service?.[name]
    if (!found) throw new Error(`There is no ${name}.`)
    return [found.path, found.requestSerialize, found.responseDeserialize] as const
  }
  return {
    unary: (name: string, message: object) =>
      new Promise<Record<string, unknown>>((resolve, reject) => {
        client.makeUnaryRequest(...method(name), message, metadata, (error, reply) =>
          error ? reject(error) : resolve(reply as Record<string, unknown>),
        )
      }),
    stream: (name: string) => client.makeBidiStreamRequest(...method(name), metadata) as Stream,
  }
}

const uuid = '12345678-1234-4234-8234-123456789abc'

async function listening() {
  let machines: Machines | undefined
  const server = await testServer({
    machines: (on) => {
      machines = createMachines(on)
      return machines
    },
  })
  await server.app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => server.app.close())
  const { port } = server.app.server.address() as AddressInfo
  const secret = usersIn(server.store).get(1)?.agent_secret ?? ''
  return {
    ...server,
    port,
    agent: (metadata: Record<string, string> = {}) =>
      connect(port, { 'client-secret': secret, 'client-uuid': uuid, ...metadata }),
    host: () => {
      const [row] = cachedRows(entityTable(server.store, servers))
      return row && machines?.connected(row)
    },
  }
}

it('an agent gets a row, reports, runs a task, opens a stream, and is offline when its stream ends', async () => {
  const server = await listening()
  const agent = server.agent()
  expect(await agent.unary('ReportSystemInfo2', { platform: 'debian', boot_time: 1000 })).toEqual({ data: 1795219200 })
  const tasks = agent.stream('RequestTask')
  const states = agent.stream('ReportSystemState')
  tasks.on('error', () => {})
  states.on('error', () => {})
  const receipts: object[] = []
  states.on('data', (receipt) => receipts.push(receipt))
  states.write({ cpu: 12.5, uptime: 5, temperatures: [{ name: 'core', temperature: 40 }] })
  await vi.waitFor(() => expect(receipts).toEqual([{ proced: true }]))
  expect(await agent.unary('ReportGeoIP', { ip: { ipv4: '203.0.113.7' } })).toEqual({ dashboard_boot_time: 1795219200 })
  states.write({ cpu: 13 })
  await vi.waitFor(() => expect(receipts).toHaveLength(2))

  const admin = await signedIn(server)
  const rows = async () => ((await admin.call('GET', 'server')).body as { data: object[] }).data
  expect(await rows()).toMatchObject([
    {
      uuid,
      owner: { id: 1 },
      host: { platform: 'debian', boot_time: 1000 },
      state: { cpu: 13 },
      geoip: { ip: { ipv4_addr: '203.0.113.7' } },
      last_active: '2026-11-21T00:00:00Z',
    },
  ])

  tasks.on('data', ({ id, type, data }) => tasks.write({ id, type, data: `did ${data}`, delay: 1.5, successful: true }))
  const result = server.host()?.run('uptime', { timeoutMs: 5000, maxOutputBytes: 1000 })
  expect(await result).toMatchObject({ exitCode: 0, output: 'did uptime' })

  states.end()
  await vi.waitFor(async () => expect(await rows()).toMatchObject([{ last_active: '0001-01-01T00:00:00Z' }]))
})
