import { afterEach, expect, it, vi } from 'vitest'
import { openSink } from '../../../src/custom/files/transfer/downloadTargets.ts'
import type { WriteAnswer, WriteOrder } from '../../../src/custom/files/transfer/privateFile.worker.ts'
import { failureOf } from '../../support/console/fileExchange.ts'

afterEach(() => vi.unstubAllGlobals())

const mib = 2 ** 20
const chunk = (value: number, size = mib) => new Uint8Array(size).fill(value)

/** A file that was picked, on a disk with so much room. */
function pickedFile(room = Number.POSITIVE_INFINITY) {
  let content = Buffer.alloc(0)
  const writes: number[] = []
  const stream = {
    async write(bytes: Uint8Array) {
      writes.push(bytes.length)
      if (content.length + bytes.length > room) throw new DOMException('full', 'QuotaExceededError')
      content = Buffer.concat([content, bytes])
    },
    close: async () => {},
    abort: async () => {},
  }
  const handle = { createWritable: async () => stream, getFile: async () => ({ size: content.length }) }
  const target = { kind: 'picked', handle: handle as unknown as FileSystemFileHandle } as const
  return { target, writes, content: () => content }
}

it('a picked file gets its chunks in order, a few large writes, and the end', async () => {
  const { target, writes, content } = pickedFile()
  const chunks = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((value) => chunk(value)).concat(chunk(10, 100))
  const sink = await openSink(target)(9 * mib + 100)
  const whole = Buffer.concat(chunks)
  for (const one of chunks) await sink.write(one)
  expect(await sink.close()).toEqual({ kind: 'picked' })
  expect(writes).toEqual([4 * mib, 4 * mib, mib + 100])
  expect(content().equals(whole)).toBe(true)
})

it('a picked file on a full disk says so, also when it is full only at the end', async () => {
  const { target } = pickedFile(4 * mib)
  const sink = await openSink(target)(5 * mib)
  for (let count = 0; count < 5; count += 1) await sink.write(chunk(count))
  expect(await failureOf(sink.close())).toEqual({ code: 'no_room' })
})

/** The browser's own storage, whose worker answers when it is told to. */
function privateFiles() {
  const orders: WriteOrder[] = []
  const removed: string[] = []
  let answerNext: (answer: WriteAnswer) => void = () => {}
  let isEnded = false
  class FakeWorker {
    onmessage: (event: { data: WriteAnswer }) => void = () => {}
    constructor() {
      answerNext = (data) => this.onmessage({ data })
    }
    postMessage(order: WriteOrder) {
      orders.push(order)
      if (order.type === 'open') queueMicrotask(() => answerNext({ bytes: order.from }))
    }
    terminate() {
      isEnded = true
    }
  }
  const folder = { getFileHandle: async () => ({}), removeEntry: async (name: string) => void removed.push(name) }
  vi.stubGlobal('Worker', FakeWorker)
  vi.stubGlobal('navigator', {
    storage: {
      estimate: async () => ({}),
      getDirectory: async () => ({ getDirectoryHandle: async () => folder }),
    },
  })
  return { orders, removed, answer: (one: WriteAnswer) => answerNext(one), isEnded: () => isEnded }
}

it('a file of the browser’s own storage takes four chunks ahead of the disk, and no more', async () => {
  const { orders, answer, isEnded } = privateFiles()
  const sink = await openSink({ kind: 'private', name: 'x' })(6 * mib)
  for (let count = 0; count < 4; count += 1) await sink.write(chunk(count))
  let hasRoom = false
  const fifth = Promise.resolve(sink.write(chunk(4))).then(() => {
    hasRoom = true
  })
  await new Promise((resolve) => setImmediate(resolve))
  expect(hasRoom).toBe(false)
  answer({ bytes: mib })
  await fifth
  const closing = sink.close()
  for (let count = 0; count < 4; count += 1) answer({ bytes: mib })
  await vi.waitFor(() => expect(orders.at(-1)).toEqual({ type: 'close' }))
  answer({ bytes: 6 * mib })
  expect([await closing, isEnded()]).toEqual([{ kind: 'private', name: 'x' }, true])
})

it('a full browser storage ends the download, and what was written is removed', async () => {
  const { orders, removed, answer, isEnded } = privateFiles()
  const sink = await openSink({ kind: 'private', name: 'x' })(2 * mib)
  await sink.write(chunk(1))
  await sink.write(chunk(2))
  const closing = failureOf(Promise.resolve(sink.close()))
  answer({ failure: { code: 'no_room' } })
  answer({ failure: { code: 'no_room' } })
  expect(await closing).toEqual({ code: 'no_room' })
  const aborting = sink.abort()
  await vi.waitFor(() => expect(orders.at(-1)).toEqual({ type: 'close' }))
  answer({ bytes: 0 })
  await aborting
  expect([removed, isEnded()]).toEqual([['x'], true])
})

it('a file that is shorter than announced in the browser’s own storage is removed', async () => {
  const { orders, removed, answer } = privateFiles()
  const sink = await openSink({ kind: 'private', name: 'x' })(2 * mib)
  const closing = failureOf(Promise.resolve(sink.close()))
  await vi.waitFor(() => expect(orders.at(-1)).toEqual({ type: 'close' }))
  answer({ bytes: mib })
  expect(await closing).toEqual({ code: 'incomplete' })
  await sink.abort()
  expect(removed).toEqual(['x'])
})
