import { describe, expect, it, vi } from 'vitest'
import { FileSession, type FileWorker, prepareFileWorker } from '../../../src/custom/files/transfer/fileSession.ts'
import type {
  FileOperation,
  WorkerMessage,
  WorkerRequest,
} from '../../../src/custom/files/transfer/handleWorkerMessages.ts'
import { encodeList } from '../../../src/schemas/frames/file.ts'

const frame = encodeList(new TextEncoder().encode('/srv'), [])
const memory = { kind: 'memory', limit: 1, otherwise: 'needs_memory' } as const

/** A session whose worker is played by the test: `answer` deals with requests. */
function start(
  answer: (operation: FileOperation, emit: (message: WorkerMessage) => void) => void,
  opening: () => Promise<void> = async () => {},
) {
  const log: string[] = []
  const ports: { emit: (message: WorkerMessage) => void; isClosed: boolean }[] = []
  const troubles: string[] = []
  const session = new FileSession({
    openSession: async () => {
      await opening()
      return { url: `ws://${ports.length}`, announcesReady: false }
    },
    onProtocolError: ({ code }) => troubles.push(code),
    openWorker: (emit): FileWorker => {
      const port = { emit, isClosed: false }
      ports.push(port)
      return {
        post: (message: WorkerRequest) => {
          log.push(message.type === 'open' ? message.url : message.type)
          if (message.type === 'cancel') {
            queueMicrotask(() => {
              emit({ type: 'ended', failure: { code: 'cancelled' } })
              emit({ type: 'failed', failure: { code: 'cancelled' } })
            })
          } else if (message.type !== 'open') queueMicrotask(() => answer(message, emit))
        },
        close: () => {
          port.isClosed = true
        },
      }
    },
  })
  return { session, log, ports, troubles }
}

describe('The files of a machine', () => {
  it('need no session before something is asked, and one for all that is asked', async () => {
    const { session, log } = start((_, emit) => emit({ type: 'listed', frame }))
    expect(log).toEqual([])
    await session.list('/srv', 'en-US')
    await session.list('/srv', 'en-US')
    expect(log).toEqual(['ws://1', 'list', 'list'])
  })

  it('have the worker that was started in advance, which ends with its page where nobody has asked', async () => {
    const workers: { isOver: boolean; onmessage?: (event: { data: WorkerMessage }) => void }[] = []
    vi.stubGlobal(
      'Worker',
      class {
        isOver = false
        onmessage?: (event: { data: WorkerMessage }) => void
        constructor() {
          workers.push(this)
        }
        postMessage({ type }: WorkerRequest) {
          if (type === 'list') this.onmessage?.({ data: { type: 'listed', frame: frame.slice() } })
        }
        terminate() {
          this.isOver = true
        }
      },
    )
    const openSession = async () => ({ url: 'ws://x', announcesReady: false })
    const endWorker = prepareFileWorker()
    const session = new FileSession({ openSession, onProtocolError: () => {} })
    await session.list('/srv', 'en-US')
    endWorker()
    prepareFileWorker()()
    expect(workers.map(({ isOver }) => isOver)).toEqual([false, true])
    session.close()
    vi.unstubAllGlobals()
  })

  it('have a worker that starts while the session is opened, and is ended when there is no session', async () => {
    const { promise, reject } = Promise.withResolvers<void>()
    const { session, ports } = start(
      (_, emit) => emit({ type: 'listed', frame }),
      () => promise,
    )
    const listed = session.list('/srv', 'en-US')
    await new Promise((done) => setTimeout(done))
    expect(ports).toHaveLength(1)
    reject(new Error('offline'))
    await expect(listed).rejects.toThrow('offline')
    expect(ports[0]?.isClosed).toBe(true)
  })

  it('get another worker when the first one fails before there is a session', async () => {
    let sessions = 0
    const { session, log, ports } = start(
      (_, emit) => emit({ type: 'listed', frame }),
      async () => {
        sessions += 1
        if (sessions === 1) ports[0]?.emit({ type: 'ended', failure: { code: 'lost' } })
      },
    )
    expect((await session.list('/srv', 'en-US')).path).toBe('/srv')
    expect(log).toEqual(['ws://2', 'list'])
    expect(ports.map(({ isClosed }) => isClosed)).toEqual([true, false])
  })

  it('are asked one thing at a time', async () => {
    const waiting: (() => void)[] = []
    const { session, log } = start((operation, emit) => {
      const result = operation.type === 'list' ? ({ type: 'listed', frame } as const) : ({ type: 'uploaded' } as const)
      waiting.push(() => emit(result))
    })
    const both = [session.upload('/x', new Blob()), session.list('/srv', 'en-US')]
    await new Promise((done) => setTimeout(done))
    expect(log).toEqual(['ws://1', 'upload'])
    waiting.shift()?.()
    await both[0]
    await new Promise((done) => setTimeout(done))
    expect(log).toEqual(['ws://1', 'upload', 'list'])
    waiting.shift()?.()
    await both[1]
  })

  it('are listed by a new session when the old one has broken unseen', async () => {
    let isBroken = true
    const { session, log, ports } = start((_, emit) => {
      if (!isBroken) return emit({ type: 'listed', frame })
      isBroken = false
      emit({ type: 'ended', failure: { code: 'lost' } })
      emit({ type: 'failed', failure: { code: 'lost' } })
    })
    expect((await session.list('/srv', 'en-US')).path).toBe('/srv')
    expect(log).toEqual(['ws://1', 'list', 'ws://2', 'list'])
    expect(ports.map(({ isClosed }) => isClosed)).toEqual([true, false])
  })

  it('lose their session when something is cancelled, and get another for what comes next', async () => {
    const { session, log, ports } = start((operation, emit) => {
      if (operation.type === 'list') emit({ type: 'listed', frame })
    })
    const controller = new AbortController()
    const download = session.download('/x', memory, { signal: controller.signal })
    const next = session.list('/srv', 'en-US')
    await new Promise((done) => setTimeout(done))
    controller.abort()
    await expect(download).rejects.toMatchObject({ failure: { code: 'cancelled' } })
    await next
    expect(log).toEqual(['ws://1', 'download', 'cancel', 'ws://2', 'list'])
    expect(ports[0]?.isClosed).toBe(true)
  })

  it('say so when the server sends a message of an unknown type unasked', async () => {
    const { session, ports, troubles } = start((_, emit) => emit({ type: 'listed', frame }))
    await session.list('/srv', 'en-US')
    ports[0]?.emit({ type: 'ended', failure: { code: 'lost' } })
    expect(troubles).toEqual([])
    await session.list('/srv', 'en-US')
    ports[1]?.emit({ type: 'ended', failure: { code: 'unknown' } })
    expect(troubles).toEqual(['unknown'])
  })

  it('are out of reach while nobody is signed in, and what was under way ends', async () => {
    const { session, ports } = start(() => {})
    const download = session.download('/x', memory)
    await new Promise((done) => setTimeout(done))
    session.close()
    await expect(download).rejects.toMatchObject({ failure: { code: 'cancelled' } })
    expect(ports[0]?.isClosed).toBe(true)
    await expect(session.list('/srv', 'en-US')).rejects.toMatchObject({ failure: { code: 'cancelled' } })
    expect(ports).toHaveLength(1)
  })
})
