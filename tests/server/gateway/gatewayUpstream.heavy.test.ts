import { createHash } from 'node:crypto'
import { createReadStream, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { downloadHash, uploadRandom } from '../../support/console/fileRequests.ts'
import { openFileSocket } from '../../support/server/fixtures/fileConnection.ts'
import { openTerminalSocket } from '../../support/server/fixtures/terminalConnection.ts'
import { signInAt, watching } from '../../support/server/process/serverProcess.ts'
import { type ServerProcess, spawnServer } from '../../support/server/process/spawnServer.ts'

const password = 'correct horse'

const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-gateway-'))
const gatewayFolder = join(folder, 'gateway')
const settings = { DATA_DIR: join(folder, 'data'), ADMIN_PASSWORD: password, ...watching }
let upstream: ServerProcess
let gateway: ServerProcess

// The embedded server in a process of its own, and the gateway before it in another: the last test ends the former.
beforeAll(async () => {
  upstream = await spawnServer(settings)
  gateway = await spawnServer({ UPSTREAM: upstream.address, DATA_DIR: gatewayFolder })
})

afterAll(async () => {
  for (const server of [gateway, upstream]) {
    server.kill('SIGKILL')
    await server.ended
  }
  rmSync(folder, { recursive: true, force: true })
})

/** Signs in at an address and gives what a browser of the console would call with. */
async function enter(address: string) {
  const { cookies } = await signInAt(address, 'admin', password)
  const values = cookies.map((cookie) => cookie.split(';')[0] ?? '')
  const csrf = values.find((cookie) => cookie.startsWith('nz-csrf='))?.slice('nz-csrf='.length) ?? ''
  const headers = { cookie: values.join('; '), 'x-csrf-token': csrf, origin: address }
  async function call(method: string, path: string, { body, headers: changed }: Partial<RequestInit> = {}) {
    const init = { method, body, headers: { ...headers, ...(changed as Record<string, string>) } }
    const reply = await fetch(`${address}/api/v1/${path}`, init)
    return { status: reply.status, body: (await reply.json()) as { data?: { session_id: string }; error?: string } }
  }
  /** This machine is no server in the list before its first report. */
  const openSession = (path: string, body?: string) =>
    vi.waitFor(
      async () => {
        const { body: reply } = await call('POST', path, { body })
        if (!reply.data) throw new Error(reply.error)
        return reply.data.session_id
      },
      { interval: 100 },
    )
  return { headers, call, openSession }
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

it('the console works through the gateway: sign-in, lists, saves, live metrics, a terminal', async () => {
  const { call, headers, openSession } = await enter(gateway.address)
  const group = JSON.stringify({ name: 'Fleet', servers: [] })
  expect(await call('POST', 'server-group', { body: group })).toMatchObject({ body: { success: true } })
  const forged = await call('POST', 'server-group', { body: group, headers: { 'x-csrf-token': 'x.y' } })
  expect([forged.status, forged.body.error]).toEqual([403, expect.stringMatching(/^ApiErrorForbidden/)])
  expect(await call('GET', 'server-group')).toMatchObject({ body: { data: [{ group: { name: 'Fleet' } }] } })
  expect(await call('GET', 'profile')).toMatchObject({ body: { data: { login_ip: '127.0.0.1' } } })

  const live = await firstMetrics(gateway.address, headers)
  expect(JSON.parse(live)).toMatchObject({ now: expect.any(Number), servers: expect.anything() })

  const id = await openSession('terminal', JSON.stringify({ server_id: 1 }))
  const terminal = await openTerminalSocket(gateway.address, id, headers)
  terminal.type('echo $((6*7)) on board\n')
  await terminal.until('42 on board')
  terminal.type('exit\n')
  // The contract's server ends without a close frame, and so does the gateway.
  expect(await terminal.closed).toBe(1006)

  expect(existsSync(gatewayFolder)).toBe(false)
  expect(gateway.output()).toContain(`everything else comes from ${upstream.address}, and nothing is kept here.`)
})

it('a file of 100 MiB goes through the gateway and back as it was', async () => {
  const { headers, openSession } = await enter(gateway.address)
  const files = await openFileSocket(gateway.address, await openSession('file?id=1'), headers.cookie)
  const path = join(folder, 'large')
  const sent = await uploadRandom(files, path, 100)
  expect(await hashOf(path)).toBe(sent)
  expect(await downloadHash(files, path, 100)).toBe(sent)
})

it('the gateway survives the upstream: sockets break, calls say why, and everything works when it is back', async () => {
  const { call, headers, openSession } = await enter(gateway.address)
  const id = await openSession('terminal', JSON.stringify({ server_id: 1 }))
  const terminal = await openTerminalSocket(gateway.address, id, headers)
  await terminal.until(/\S/)

  upstream.kill('SIGKILL')
  await upstream.ended
  const closeCode = await terminal.closed
  const away = await call('GET', 'profile')
  const unknown = await fetch(`${gateway.address}/dashboard/none.txt`, { method: 'POST' })
  // Before anything is expected: a repetition of the test needs it too.
  upstream = await spawnServer({ ...settings, PORT: new URL(upstream.address).port })
  expect(closeCode).toBe(1006)
  expect([away.status, away.body.error]).toEqual([502, expect.stringContaining('refuses connections: start it')])
  expect(unknown.status).toBe(404)
  expect(await call('GET', 'profile')).toMatchObject({ status: 200, body: { success: true } })
})

/** The first message of the live metrics. */
async function firstMetrics(address: string, headers: Record<string, string>): Promise<string> {
  const socket = new WebSocket(`${address.replace('http', 'ws')}/api/v1/ws/server`, { headers })
  const text = await new Promise<string>((resolve, reject) => {
    socket.once('message', (data) => resolve(String(data)))
    socket.once('error', reject)
  })
  socket.terminate()
  return text
}
