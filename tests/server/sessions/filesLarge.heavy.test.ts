import { createHash } from 'node:crypto'
import { createReadStream, readFileSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { expect, it, vi } from 'vitest'
import { decodeFileReply, encodeDownloadRequest } from '../../../src/schemas/frames/file.ts'
import { downloadHash, uploadRandom } from '../../support/console/fileRequests.ts'
import { openFileSocket } from '../../support/server/fixtures/fileConnection.ts'
import { signInAt, startServerProcess, watching } from '../../support/server/process/serverProcess.ts'
import { temporaryFolder } from '../../support/server/temporaryFolder.ts'

const MiB = 1024 * 1024
const chunks = 160
/** Bytes. What is kept in memory by mistake is at least the whole file. */
const mostGrowth = 128 * MiB

/** The most memory that a process has had so far, in bytes. */
function peakOf(pid: number): number {
  return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024
}

async function openSession(address: string) {
  const { cookies } = await signInAt(address, 'admin', 'correct horse')
  const values = cookies.map((cookie) => cookie.split(';')[0] ?? '')
  const csrf = values.find((cookie) => cookie.startsWith('nz-csrf='))?.slice('nz-csrf='.length) ?? ''
  const headers = { cookie: values.join('; '), 'x-csrf-token': csrf }
  // This machine is no server in the list before its first report.
  const sessionId = await vi.waitFor(
    async () => {
      const reply = await fetch(`${address}/api/v1/file?id=1`, { method: 'POST', headers })
      return ((await reply.json()) as { data: { session_id: string } }).data.session_id
    },
    { interval: 100 },
  )
  return openFileSocket(address, sessionId, headers.cookie)
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

it.runIf(process.platform === 'linux')(
  'a large file arrives as it was, both ways, and takes little memory',
  async () => {
    const folder = temporaryFolder()
    const path = join(folder, 'large')
    const { address, pid } = await startServerProcess({
      DATA_DIR: join(folder, 'data'),
      ADMIN_PASSWORD: 'correct horse',
      ...watching,
    })
    const connection = await openSession(address)
    const { socket, send, next } = connection
    const before = peakOf(pid)

    const uploaded = await uploadRandom(connection, path, chunks)
    expect(await hashOf(path)).toBe(uploaded)
    expect(await downloadHash(connection, path, chunks)).toBe(uploaded)
    expect(peakOf(pid) - before).toBeLessThan(mostGrowth)

    // Somebody who does not read what they asked for must not fill the memory either.
    truncateSync(path, 1024 * MiB)
    send(encodeDownloadRequest(path))
    expect(decodeFileReply(await next())).toEqual({ kind: 'download', size: statSync(path).size })
    socket.pause()
    await new Promise((resolve) => setTimeout(resolve, 1000))
    expect(peakOf(pid) - before).toBeLessThan(mostGrowth)
  },
)
