import { createHash, randomBytes } from 'node:crypto'
import { afterEach, expect, it, vi } from 'vitest'
import type { OnProgress } from '../../../src/custom/files/transfer/fileExchange.ts'
import { type FailureCode, FileFailure } from '../../../src/custom/files/transfer/fileFailure.ts'
import { partOf, type ResumableFiles } from '../../../src/custom/files/transfer/resumableFiles.ts'
import { createUploads, uploadResumably } from '../../../src/custom/files/transfer/sendUpload.ts'
import { storedTransfers, whileRunning } from '../../../src/custom/files/transfer/storedTransfers.ts'
import { resumeLimits } from '../../../src/schemas/inspect/fileUploads.ts'
import { fakeIndexedDb } from '../../support/fakes/fakeIndexedDb.ts'

const { blockBytes } = resumeLimits
const [upload, target] = ['0123456789abcdef', '/srv/file']
const part = partOf(target, upload)
const cut = () => new FileFailure({ code: 'lost' })

/** A machine with its files, as `uploadParts.ts` has it do. */
function machine({ hasChecksums = true } = {}) {
  const files = new Map<string, Buffer>()
  const sent: number[] = []
  const calls: ResumableFiles = {
    async open(_target, _upload, keep) {
      const before = files.get(part) ?? Buffer.alloc(0)
      const joined = Buffer.concat([before, files.get(`${part}.rest`) ?? Buffer.alloc(0)])
      files.delete(`${part}.rest`)
      files.set(part, keep === undefined ? joined : joined.subarray(0, keep))
      return files.get(part)?.length
    },
    async place(_target, _upload, size) {
      expect(files.get(part)?.length).toBe(size)
      files.set(target, files.get(part) ?? Buffer.alloc(0))
      files.delete(part)
    },
    async discard() {
      files.delete(part)
      files.delete(`${part}.rest`)
    },
    async blocks(path, { first, count }) {
      const content = files.get(path)
      if (!hasChecksums || !content) return undefined
      const sha256 = []
      for (let at = first; at < first + count && at * blockBytes < content.length; at += 1) {
        const block = content.subarray(at * blockBytes, (at + 1) * blockBytes)
        sha256.push(createHash('sha256').update(block).digest('hex'))
      }
      return { size: content.length, sha256 }
    },
    contentAddress: () => '',
  }
  const session = {
    async upload(path: string, file: Blob) {
      sent.push(file.size)
      files.set(path, Buffer.from(await file.arrayBuffer()))
    },
  }
  return { files, sent, calls, session }
}

const content = randomBytes(2 * blockBytes + 5)
const file = new File([content], 'file')
const send = ({ calls, session }: ReturnType<typeof machine>) =>
  uploadResumably({ session, files: calls, upload, target, file })

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

it('of a part that has become longer than its file, what is right is not sent again', async () => {
  const there = machine()
  there.files.set(part, Buffer.concat([content.subarray(0, blockBytes), randomBytes(3 * blockBytes)]))
  expect(await send(there)).toBe(true)
  expect(there.sent).toEqual([content.length - blockBytes])
  expect(there.files.get(target)?.equals(content)).toBe(true)
})

it('a machine without checksums gets a file that was cut once more, not again and again', async () => {
  const there = machine({ hasChecksums: false })
  there.files.set(part, content.subarray(0, 5))
  expect(await send(there)).toBe(false)
  expect(there.sent).toEqual([content.length])
  expect(there.files.get(target)?.equals(content)).toBe(true)
})

it('a file that got its place, although the answer was lost, is not sent again', async () => {
  const there = machine()
  const { place } = there.calls
  vi.spyOn(there.calls, 'place').mockImplementationOnce(async (...order) => {
    await place(...order)
    throw cut()
  })
  expect(await send(there)).toBe(true)
  expect(there.sent).toEqual([content.length])
  expect([...there.files.keys()]).toEqual([target])
})

it('what has arrived is compared in sight, block by block, and so is all of it at the end', async () => {
  const there = machine()
  there.files.set(part, content.subarray(0, blockBytes))
  const seen: string[] = []
  const { calls, session } = there
  const onCompare = (done: number, total: number) => void seen.push(`${done} of ${total}`)
  expect(await uploadResumably({ session, files: calls, upload, target, file, onCompare })).toBe(true)
  const whole = [0, blockBytes, 2 * blockBytes, content.length].map((done) => `${done} of ${content.length}`)
  expect(seen).toEqual([`0 of ${blockBytes}`, `${blockBytes} of ${blockBytes}`, ...whole])
})

it('a cut after minutes of comparing is not given up, and one that finds nothing new to compare is', async () => {
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  const there = machine()
  there.files.set(part, content.subarray(0, blockBytes))
  const { blocks } = there.calls
  // A machine that reads slowly.
  there.calls.blocks = (...order) => {
    now += 6 * 60_000
    return blocks(...order)
  }
  const sending = vi.spyOn(there.session, 'upload').mockRejectedValueOnce(cut())
  expect(await send(there)).toBe(true)
  expect(sending).toHaveBeenCalledTimes(2)

  there.files.set(part, content.subarray(0, blockBytes))
  sending.mockRejectedValue(cut())
  await expect(send(there)).rejects.toThrow('lost')
  // The first try had compared something, the second only the same again.
  expect(sending).toHaveBeenCalledTimes(4)
})

it('an upload of which the same is cut off each time, before it arrives, is given up after five minutes', async () => {
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  const { calls } = machine()
  const upload = vi.fn(async (_path: string, _file: Blob, { onProgress }: { onProgress?: OnProgress } = {}) => {
    // A minute in which one MiB leaves.
    now += 60_000
    onProgress?.(1024 * 1024, file.size)
    throw cut()
  })
  vi.stubGlobal('setTimeout', (done: () => void) => void done())
  await expect(
    uploadResumably({ session: { upload }, files: calls, upload: '0123456789abcdef', target, file }),
  ).rejects.toThrow('lost')
  expect(upload).toHaveBeenCalledTimes(7)
})

it('an upload of which a little more has arrived after each cut is not given up', async () => {
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  const there = machine()
  const sent = there.session.upload
  let tries = 0
  const upload = async (path: string, rest: Blob, { onProgress }: { onProgress?: OnProgress } = {}) => {
    now += 4 * 60_000
    // Much has left, and only one block has arrived.
    onProgress?.(rest.size, rest.size)
    now += 4 * 60_000
    tries += 1
    if (rest.size <= blockBytes) return sent(path, new File([rest], 'rest'))
    await sent(path, new File([rest.slice(0, blockBytes)], 'rest'))
    throw cut()
  }
  vi.stubGlobal('setTimeout', (done: () => void) => void done())
  expect(
    await uploadResumably({ session: { upload }, files: there.calls, upload: '0123456789abcdef', target, file }),
  ).toBe(true)
  expect(tries).toBe(3)
})

it.each([
  ['is given up where its WebSocket never opens, and its part is kept', (): FailureCode => 'unreachable', 6],
  // The connection itself comes and goes.
  ['goes on where it opens at times', (tries: number): FailureCode => (tries % 5 === 0 ? 'lost' : 'unreachable'), 12],
] as const)('an upload %s', async (_, codeOf, expected) => {
  const there = machine()
  const discarded = vi.spyOn(there.calls, 'discard')
  vi.stubGlobal('setTimeout', (done: () => void) => void done())
  let tries = 0
  const upload = async (path: string, sent: File) => {
    tries += 1
    if (tries < 12) throw new FileFailure({ code: codeOf(tries) })
    await there.session.upload(path, sent)
  }
  const done = send({ ...there, session: { ...there.session, upload } })
  if (expected === 6) await expect(done).rejects.toThrow('unreachable')
  else await done
  expect(tries).toBe(expected)
  expect(discarded).not.toHaveBeenCalled()
})

it('an upload to a place where another tab is at work leaves its part alone', async () => {
  fakeIndexedDb()
  const held = new Set<string>()
  vi.stubGlobal('navigator', {
    locks: {
      async request(name: string, work: () => Promise<unknown>) {
        held.add(name)
        await work().finally(() => held.delete(name))
      },
      query: async () => ({ held: [...held].map((name) => ({ name })) }),
    },
  })
  const { calls, session } = machine()
  const discard = vi.spyOn(calls, 'discard')
  const options = { serverId: 7, session: session as never, resumable: calls }
  const begin = async (run: string, again?: string) => {
    const one = { target, name: 'file', file, exists: false, ...(again && { part: again }) }
    await createUploads(options).begin([one], run)
    return (await storedTransfers())[0]?.upload
  }
  const first = await begin('one')
  await whileRunning('one', async () => {
    expect(await begin('one tab', first)).not.toBe(first)
    expect(discard).not.toHaveBeenCalled()
  })
  const later = await begin('two')
  expect(await begin('three')).toBe(later)
})
