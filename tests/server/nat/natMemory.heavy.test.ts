import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { expect, it } from 'vitest'
import { signIn } from '../../../scripts/soak/api.ts'
import { ownMachine } from '../../../scripts/soak/seedRecords.ts'
import { forwardedName, openRequest, startService } from '../../support/server/natServer.ts'
import { startServerProcess, watching } from '../../support/server/process/serverProcess.ts'
import { temporaryFolder } from '../../support/server/temporaryFolder.ts'

const MiB = 1024 * 1024
const total = 300 * MiB
/** MiB. Buffers are outside of V8's heap, which collects them when they are about 64; what is kept is all of it. */
const mostGrowth = 150
const block = Buffer.alloc(64 * 1024, 'x')

async function writeAll(target: NodeJS.WritableStream, bytes: number): Promise<void> {
  for (let sent = 0; sent < bytes; sent += block.length) if (!target.write(block)) await once(target, 'drain')
  target.end()
}

async function countBytes(stream: AsyncIterable<Buffer>): Promise<number> {
  let count = 0
  for await (const chunk of stream) count += chunk.length
  return count
}

it.runIf(process.platform === 'linux')(
  'a server through which 300 MB go each way needs no memory for them',
  async () => {
    const { port: target } = await startService(async (request, reply) => {
      if (request.method === 'GET') await writeAll(reply, Number(request.url?.slice(1)))
      else reply.end(String(await countBytes(request)))
    })
    const admin = { username: 'admin', password: 'correct horse' }
    const { pid, address } = await startServerProcess({
      DATA_DIR: temporaryFolder(),
      ADMIN_PASSWORD: admin.password,
      ...watching,
    })
    const api = await signIn(address, admin)
    const { id: server_id } = await ownMachine(api)
    const form = { name: 'n', enabled: true, server_id, host: `127.0.0.1:${target}`, domain: forwardedName }
    await api.call('POST', 'nat', form)
    const port = Number(new URL(address).port)

    async function send(method: 'GET' | 'PUT', bytes: number): Promise<void> {
      const headers: Record<string, string> = method === 'PUT' ? { 'content-length': String(bytes) } : {}
      const outgoing = openRequest(port, { method, headers, path: `/${bytes}` })
      const reply = once(outgoing, 'response') as Promise<[IncomingMessage]>
      if (method === 'PUT') await writeAll(outgoing, bytes)
      else outgoing.end()
      const [response] = await reply
      const count = await countBytes(response)
      expect(count).toBe(method === 'GET' ? bytes : String(bytes).length)
    }
    const resident = () => Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
    const grown = async (work: Promise<void>): Promise<number> => {
      const before = resident()
      let peak = before
      const timer = setInterval(() => {
        peak = Math.max(peak, resident())
      }, 20)
      await work
      clearInterval(timer)
      return peak - before
    }
    // The first requests also load code and fill caches.
    for (const method of ['GET', 'PUT'] as const) await send(method, 20 * MiB)
    for (const method of ['GET', 'PUT'] as const) expect(await grown(send(method, total))).toBeLessThan(mostGrowth)
  },
)
