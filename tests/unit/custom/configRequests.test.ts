import { HttpError } from 'ra-core'
import { describe, expect, it, vi } from 'vitest'
import { changeConfig, changeConfigs } from '../../../src/resources/server/agentConfig/configRequests.ts'
import { endpoints } from '../../../src/schemas/endpoints/index.ts'

type Call = Parameters<typeof changeConfig>[0]

const ids = Array.from({ length: 12 }, (_, index) => index + 1)

describe('settings for many servers', () => {
  it('are read and sent for five servers at a time, each in its own text, even if others fail', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const sent: { servers: number[]; config: string }[] = []
    let busy = 0
    let most = 0
    const call = async (endpoint: unknown, input: { id: number } | { servers: number[]; config: string }) => {
      most = Math.max(most, ++busy)
      await new Promise((resolve) => setTimeout(resolve, 2))
      busy--
      if (endpoint === endpoints.serverConfig) {
        const { id } = input as { id: number }
        if (id === 7 || sent.some(({ servers }) => servers.includes(id))) throw new Error('operation timeout')
        return id === 8 ? undefined : JSON.stringify({ server: 'console:8008', uuid: `u-${id}`, gpu: id === 9 })
      }
      const order = input as { servers: number[]; config: string }
      sent.push(order)
      return {
        success: order.servers.filter((id) => id < 10),
        reconnecting: order.servers.filter((id) => id === 12),
        reasons: {},
        failure: [],
        offline: order.servers.filter((id) => id === 10),
      }
    }
    let steps = 0
    const outcomes = await changeConfigs(call as Call, ids, { gpu: true }, () => steps++, new AbortController().signal)
    expect(most).toBe(5)
    expect(steps).toBe(12)
    const expected = (id?: number) => JSON.stringify({ server: 'console:8008', uuid: `u-${id}`, gpu: true })
    expect(sent.every(({ servers, config }) => config === expected(servers[0]))).toBe(true)
    expect(outcomes.filter(({ state }) => state === 'sent').map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6])
    expect(outcomes.slice(6)).toEqual([
      { id: 7, state: 'failed', reason: 'operation timeout' },
      { id: 8, state: 'failed', reason: 'app.server_config.not_connected' },
      { id: 9, state: 'unchanged' },
      { id: 10, state: 'offline' },
      { id: 11, state: 'failed', reason: 'app.server_config.not_connected' },
      { id: 12, state: 'reconnecting' },
    ])
    vi.restoreAllMocks()
  })

  it('are not sent any more once somebody stops, who is told at once of which servers the outcome is unknown', async () => {
    const controller = new AbortController()
    let asked = 0
    const call = async (endpoint: unknown, { id }: { id: number }, { signal }: { signal: AbortSignal }) => {
      signal.throwIfAborted()
      if (endpoint === endpoints.serverConfig && id !== 3) return JSON.stringify({ gpu: false })
      asked += 1
      const { promise, reject } = Promise.withResolvers<never>()
      const isRead = endpoint === endpoints.serverConfig
      signal.addEventListener('abort', () => reject(isRead ? signal.reason : new HttpError('app.toast.unanswered', 0)))
      if (asked === 5) controller.abort()
      return promise
    }
    const outcomes = await changeConfigs(call as Call, ids, { gpu: true }, () => {}, controller.signal)
    expect(asked).toBe(5)
    expect(outcomes.map(({ state }) => state)).toEqual([
      ...['unknown', 'unknown', 'stopped', 'unknown', 'unknown'],
      ...Array.from({ length: 7 }, () => 'stopped'),
    ])
  })

  it.each([
    ['is about to use them', new Error('get server config failed: another reload is in process'), 'reconnecting'],
    ['has them in force', { server: 'console:8008', gpu: true }, 'accepted'],
    ['still reports those from before', { server: 'console:8008' }, 'failed'],
    ['does not answer', new Error('operation timeout'), 'sent'],
    ['has gone', undefined, 'sent'],
  ])('that a Nezha server only delivers are what the agent says next: one that %s', async (_, next, state) => {
    const configs = [{ server: 'console:8008' }, next]
    const call = async (endpoint: unknown) => {
      if (endpoint !== endpoints.serverConfig)
        return { success: [1], failure: [], offline: [], reconnecting: [], reasons: {} }
      const config = configs.shift()
      if (config instanceof Error) throw config
      return config && JSON.stringify(config)
    }
    expect(await changeConfig(call as Call, 1, { gpu: true })).toMatchObject({ state })
  })
})
