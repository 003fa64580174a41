import { createHash } from 'node:crypto'
import { createReadStream, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { expect, it } from 'vitest'
import { decodeFileReply, encodeDownloadRequest } from '../../../../src/schemas/frames/file.ts'
import { encodeConsumed } from '../../../../src/schemas/frames/terminal.ts'
import { downloadHash, uploadRandom } from '../../../support/console/fileRequests.ts'
import { startAgentProcess } from '../../../support/server/fixtures/agentProcess.ts'

/** MiB. What is kept in memory by mistake is at least the whole file. */
const mostGrowth = 128
/** MiB. The agent here sends 5 to 9 MiB of a flood in a second; nine to fifteen of them are what a server needs. */
const mostGrowthByFlood = 25
const chunks = 160

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

it.runIf(process.platform === 'linux')(
  'a large file arrives at an agent and from it as it was, and takes little memory of the server',
  { timeout: 180_000 },
  async () => {
    const { files, folder, memory } = await startAgentProcess()
    const path = join(folder, 'large')
    const session = await files()
    const before = memory().peak
    const uploaded = await uploadRandom(session, path, chunks)
    expect(await hashOf(path)).toBe(uploaded)
    expect(await downloadHash(session, path, chunks)).toBe(uploaded)
    expect(memory().peak - before).toBeLessThan(mostGrowth)

    // Somebody who does not read what they asked for must not fill the memory either.
    truncateSync(path, 1024 * 1024 * 1024)
    session.send(encodeDownloadRequest(path))
    expect(decodeFileReply(await session.next())).toMatchObject({ kind: 'download' })
    session.socket.pause()
    await pause(2000)
    expect(memory().peak - before).toBeLessThan(mostGrowth)
  },
)

it.runIf(process.platform === 'linux')(
  'a flood of output of an agent takes little memory, read or not, and Ctrl-C does not wait for it',
  { timeout: 60_000 },
  async () => {
    const { terminal, memory } = await startAgentProcess()
    const { type, send, until, frames, socket } = await terminal()
    type("bind 'set enable-bracketed-paste off'; PS1='ready> '\r")
    await until(/^ready> $/m)
    const received = () => frames.reduce((sum, length) => sum + length, 0)
    const before = memory().peak
    let acknowledged = 0
    const acknowledge = () => {
      const all = received()
      send(encodeConsumed(all - acknowledged))
      acknowledged = all
    }
    type('yes\r')
    for (let count = 0; count < 20 || received() < 10 * 1024 * 1024; count++) {
      await pause(100)
      acknowledge()
    }
    socket.pause()
    await pause(4000)
    expect(memory().peak - before).toBeLessThan(mostGrowthByFlood)
    socket.resume()
    const timer = setInterval(acknowledge, 5)
    const began = performance.now()
    type('\u0003')
    await until(/^ready> $/m)
    // Half a second on a quiet machine; all that `yes` had printed would take far longer.
    expect(performance.now() - began).toBeLessThan(2000)
    clearInterval(timer)
  },
)
