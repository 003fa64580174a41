import { describe, expect, it, vi } from 'vitest'
import { runCheck } from '../../../../server/services/checks/runCheck.ts'
import { check as checkSchema, type MachineCheck } from '../../../../src/schemas/checks/checks.ts'
import type { AgentSettings } from '../../../support/agent/agentSettings.ts'
import { type StreamKind, streamKinds } from '../../../support/checks/streamKinds.ts'
import { startRawServer } from '../../../support/fakes/rawServer.ts'
import { startServerWithAgent } from '../../../support/server/fixtures/serverWithAgent.ts'
import { createTestHost } from '../../../support/server/testHost.ts'

const kinds = Object.keys(streamKinds) as StreamKind[]

/** Tries checks from a machine behind an agent. */
async function throughAgent(settings: Partial<AgentSettings> = {}) {
  const server = await startServerWithAgent({ settings })
  const browser = await server.signIn()
  await vi.waitFor(() => expect(server.agent.receipts).toBeGreaterThan(0))
  return async (target: string, check: object) => {
    const { body } = await browser.call('POST', 'wheelhouse/checks/try', { body: { server_id: 1, target, check } })
    return (body as { data?: object }).data ?? body
  }
}

describe('a check from a machine with an agent', () => {
  it.each(kinds)(
    '%s goes through the stream of the agent, also with TLS',
    async (kind) => {
      const attempt = await throughAgent()
      for (const { target, check } of await streamKinds[kind]()) {
        expect([check, await attempt(target, check)]).toMatchObject([{}, { state: 'up', reason: '' }])
      }
    },
    120_000,
  )

  it('is not permitted where the agent makes no connections, whatever its kind', async () => {
    const attempt = await throughAgent({ disable_nat: true })
    const connections: string[] = []
    const { port } = await startRawServer((socket) => void connections.push(String(socket.remotePort)))
    for (const kind of kinds) {
      const address = `127.0.0.1:${port}`
      const scheme = kind === 'http' ? 'http://' : kind === 'websocket' ? 'ws://' : ''
      const check = kind === 'dns' ? { kind, resolver: address } : { kind }
      const tried = await attempt(kind === 'dns' ? 'a.example' : `${scheme}${address}`, check)
      expect([kind, tried]).toMatchObject([kind, { state: 'not_permitted', reason: 'disable_nat' }])
    }
    expect(connections).toEqual([])
  })

  it('pings are not permitted, because agents do not count them', async () => {
    const attempt = await throughAgent()
    expect(await attempt('127.0.0.1', { kind: 'ping' })).toMatchObject({ state: 'not_permitted', reason: 'no_ping' })
  })
})

describe('the certificates of a check', () => {
  it.each(kinds.filter((kind) => !['dns', 'ssh'].includes(kind)))(
    'are those that the server has sent: %s',
    async (kind) => {
      for (const { target, check } of await streamKinds[kind]()) {
        const given = checkSchema.parse(check) as MachineCheck
        const options = { timeoutMs: 10_000, allowPrivate: true }
        const result = await runCheck(given, target, createTestHost(), options)
        const isSecure = kind === 'tls' || 'starttls' in check || 'tls' in check || /^(https|wss):/.test(target)
        const expiresAt = Date.parse('2120-01-01T00:00:00Z')
        const host = target.replace(/^\w+:\/\//, '').replace(/\/$/, '')
        const chain = [{ host, subject: 'localhost', issuer: 'localhost', expiresAt }]
        expect(result).toMatchObject({ state: 'up' })
        expect([result?.certificate, result?.chain]).toEqual(
          isSecure ? [{ issuer: 'localhost', expiresAt }, chain] : [undefined, undefined],
        )
      }
    },
    120_000,
  )
})
