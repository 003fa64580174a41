import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { continueDownload } from '../../../src/custom/files/transfer/continueDownload.ts'
import type { OpenSink } from '../../../src/custom/files/transfer/downloadTargets.ts'
import { FileFailure } from '../../../src/custom/files/transfer/fileFailure.ts'
import { sameBytes, sha256Of } from '../../../src/custom/files/transfer/resumableFiles.ts'
import { resumeLimits } from '../../../src/schemas/inspect/fileUploads.ts'
import { failureOf } from '../../support/console/fileExchange.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const bytes = (text: string) => new TextEncoder().encode(text)

function target() {
  const written: string[] = []
  const ends: string[] = []
  const open: OpenSink = async () => ({
    write: (data) => void written.push(new TextDecoder().decode(data)),
    close: async () => ({ kind: 'memory', blob: new Blob(written) }),
    abort: async () => void ends.push('abort'),
    keep: async () => void ends.push('keep'),
  })
  return { open, written, ends }
}

/** A session that is cut after some of the file. */
const cutAfter = (text: string) => async (open: OpenSink) => {
  const sink = await open(10)
  await sink.write(bytes(text))
  await sink.abort()
  throw new FileFailure({ code: 'lost' })
}

/** A server that answers one request after the other; an Error is a line that is cut. */
function serve(...replies: (string | Error)[]) {
  const asked: string[] = []
  vi.stubGlobal('fetch', async (address: string) => {
    asked.push(address)
    const reply = replies.shift() ?? new Error('cut')
    if (reply instanceof Error) throw reply
    const headers = { 'content-type': 'application/octet-stream', 'content-length': String(reply.length) }
    return new Response(reply, { headers })
  })
  return asked
}

const options = (open: OpenSink, first: (open: OpenSink) => Promise<never>) => ({
  continued: { address: '/content?path=x' },
  openSink: open,
  first,
  onProgress: () => {},
  onWait: vi.fn(),
  signal: new AbortController().signal,
})

it('a download that was cut goes on behind what has come, as soon as the server is back', async () => {
  const { open, written, ends } = target()
  const asked = serve(new Error('away'), '456789')
  const given = options(open, cutAfter('0123'))
  const done = continueDownload(given)
  await vi.advanceTimersByTimeAsync(2_000)
  expect(await done).toMatchObject({ isResumed: true })
  expect(written.join('')).toBe('0123456789')
  expect(asked).toEqual(['/content?path=x&offset=4', '/content?path=x&offset=4'])
  expect(given.onWait).toHaveBeenCalled()
  expect(ends).toEqual([])
})

it('a download whose server stays away is given up after five minutes, and what has come is kept', async () => {
  const { open, ends } = target()
  serve()
  const failure = failureOf(continueDownload(options(open, cutAfter('0123'))))
  await vi.advanceTimersByTimeAsync(6 * 60_000)
  expect(await failure).toEqual({ code: 'lost' })
  expect(ends).toEqual(['keep'])
})

it('a download whose file has another size now fails, and nothing of it stays', async () => {
  const { open, ends } = target()
  serve('much more than was announced')
  expect(await failureOf(continueDownload(options(open, cutAfter('0123'))))).toEqual({ code: 'incomplete' })
  expect(ends).toEqual(['abort'])
})

it('a part is the same up to the first block that differs', async () => {
  vi.useRealTimers()
  const { blockBytes } = resumeLimits
  const local = new Blob([new Uint8Array(2 * blockBytes + 5)])
  const sums = await Promise.all(
    [0, 1, 2].map((block) => sha256Of(local.slice(block * blockBytes, (block + 1) * blockBytes))),
  )
  const same = (sha256: string[], bytes = local.size) =>
    sameBytes({ blocks: async () => ({ size: bytes, sha256 }) }, { path: '/x', local, bytes })
  expect(await same(sums)).toBe(local.size)
  expect(await same([sums[0] ?? '', 'other', sums[2] ?? ''])).toBe(blockBytes)
  expect(await same(['other'])).toBe(0)
  // A machine without checksums: nothing is known to be right.
  expect(await same([])).toBe(0)
})
