import { QueryClient } from '@tanstack/react-query'
import { describe, expect, it, vi } from 'vitest'
import {
  applyChanges,
  type ConfigurationServer,
  readRecords,
} from '../../../src/custom/configuration/configurationCalls.ts'
import { planConfiguration } from '../../../src/domain/configuration/planConfiguration.ts'
import { readConfiguration } from '../../../src/domain/configuration/readConfiguration.ts'
import { configurationEndpoints } from '../../../src/schemas/endpoints/configurationEndpoints.ts'
import { endpoints } from '../../../src/schemas/endpoints/index.ts'

/** Settings that are a record are asked for by their address. Unset ones are what their form says. */
vi.mock('../../../src/api/apiClient.ts', () => ({ request: async () => ({}) }))

/** A server with one service, and what it was asked to do. @param wheelhouse what it announces */
function serverWith(wheelhouse: object | undefined, refused?: string) {
  const calls: unknown[] = []
  const lists: Record<string, object[]> = {
    service: [{ id: 7, name: 'web', type: 1, target: 'https://a.example', duration: 30 }],
  }
  const write =
    (verb: string) =>
    async (resource: string, { id, data, meta }: Record<string, unknown>) => {
      const { name } = (data ?? {}) as { name?: string }
      if (name !== undefined && name === refused) throw new Error('database error')
      calls.push([verb, resource, id ?? name, typeof (meta as { changeGroup?: unknown }).changeGroup])
      return { data: { id: 40 + calls.length } }
    }
  const dataProvider = {
    async getList(resource: string) {
      if (resource === 'nat') throw Object.assign(new Error('404 Not Found'), { status: 404 })
      calls.push(resource)
      return { data: lists[resource] ?? [], total: 0 }
    },
    async call(endpoint: object, input?: unknown) {
      if (endpoint === endpoints.setting) return { config: {}, wheelhouse }
      if (endpoint === configurationEndpoints.applyConfiguration) calls.push(input)
      return undefined
    },
    create: write('create'),
    update: write('update'),
    delete: write('delete'),
  }
  const server = { dataProvider, queryClient: new QueryClient() } as unknown as ConfigurationServer
  return { server, calls }
}

const file = [
  'notification-group: [{ name: night }]',
  'service: [{ name: api, target: "https://b.example", notification_group_id: night }, { name: web, duration: 60 }]',
].join('\n')

async function applied({ server, calls }: ReturnType<typeof serverWith>) {
  const stored = await readRecords(server)
  const lists = calls.splice(0)
  const { changes } = planConfiguration(readConfiguration(file), stored)
  const progress: number[] = []
  const failure = await applyChanges(server, changes, stored, (done) => progress.push(done))
  return { lists, failure, progress, changes }
}

describe('The configuration in the console', () => {
  it('asks a real server for the lists that it has, and writes record by record, to be taken back together', async () => {
    const older = serverWith(undefined)
    const { lists, failure, progress } = await applied(older)
    expect(lists).toContain('service')
    expect(lists).not.toContain('maintenance-window')
    expect(failure).toBeUndefined()
    expect(older.calls).toEqual([
      ['create', 'notification-group', 'night', 'string'],
      ['create', 'service', 'api', 'string'],
      ['update', 'service', 7, 'string'],
    ])
    expect(progress).toEqual([1, 2, 3])
  })

  it('ends at the first change that a real server refuses, and says what was done', async () => {
    const { failure } = await applied(serverWith(undefined, 'api'))
    expect(failure?.error.message).toBe('database error')
    expect(failure?.failed).toMatchObject({ entity: 'service', name: 'api' })
    expect(failure?.done.map(({ name }) => name)).toEqual(['night'])
  })

  it('makes one call on a server that applies all or nothing', async () => {
    const embedded = serverWith({ configuration: true, maintenance: true })
    const { lists, changes } = await applied(embedded)
    expect(lists).toContain('maintenance-window')
    expect(embedded.calls).toEqual([{ changes }])
  })
})
