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
/** MiB of a flood that pass. */
const flood = 128
/** MiB. A server needs ten to thirty; V8 need not collect buffers, which are outside of its heap, before they are 64. */
const mostGrowthByFlood = 96
/** MiB that the machine may still send once nobody reads: what the windows of its connection and its session hold. */
const mostUnread = 16
const chunks = 160
const mebibyte = 1024 * 1024

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

it.runIf(process.platform === 'linux')(
  'a large file arrives at an agent and from it as it was, and takes little memory of the server',
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
    truncateSync(path, 1024 * mebibyte)
    session.send(encodeDownloadRequest(path))
    expect(decodeFileReply(await session.next())).toMatchObject({ kind: 'download' })
    session.socket.pause()
    await pause(2000)
    expect(memory().peak - before).toBeLessThan(mostGrowth)
  },
)

it.runIf(process.platform === 'linux')(
  'a flood of output of an agent takes little memory, read or not, and Ctrl-C does not wait for it',
  async () => {
    const { agent, terminal, memory } = await startAgentProcess()
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
    while (received() < flood * mebibyte) {
      await pause(25)
      acknowledge()
    }
    socket.pause()
    const printed = agent.printedBytes
    let last = printed
    await expect
      .poll(
        () => {
          const grown = agent.printedBytes - last
          last = agent.printedBytes
          return grown
        },
        { interval: 1000 },
      )
      .toBe(0)
    expect(agent.printedBytes - printed).toBeLessThan(mostUnread * mebibyte)
    expect(memory().peak - before).toBeLessThan(mostGrowthByFlood)
    socket.resume()
    const timer = setInterval(acknowledge, 5)
    const unread = received()
    type('\u0003')
    await until(/^ready> $/m)
    // What `yes` had printed meanwhile is left out: a few KiB come.
    expect(received() - unread).toBeLessThan(2 * mebibyte)
    clearInterval(timer)
  },
)
