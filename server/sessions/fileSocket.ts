import type { WebSocket } from 'ws'
import {
  encodeError,
  encodeList,
  encodeUploaded,
  type FileRequest,
  invalidHeaderText,
  type ReadRequest,
  readRequest,
} from '../../src/schemas/frames/file.ts'
import { FileError, type FileSink } from '../hosts/files.ts'
import type { Log } from '../log.ts'
import { type Send, sendFile } from './fileTransfers.ts'
import { createFrameQueue } from './frameQueue.ts'
import type { Serve } from './sessionSocket.ts'
import type { StreamSession } from './sessions.ts'
import { createStrayData } from './strayData.ts'

export interface FileSockets {
  serve: Serve
  /** Resolves when nothing is under way any more: half an upload has gone from the disk. */
  settled(): Promise<void>
}

interface Services {
  log: Pick<Log, 'error'>
  /** The clock, in milliseconds since 1970. */
  now: () => number
}

/** Connects the sockets of a session with the files of its machine (CONTRACT 10.2). */
export function createFileSockets(services: Services): FileSockets {
  const underWay = new Set<Promise<void>>()
  return {
    serve: (session) => (socket) => {
      const work = serveFiles(session, socket, services).catch((error: unknown) => {
        services.log.error(`A file session on ${session.server.name} failed:`, error)
        session.end('failed')
      })
      underWay.add(work)
      void work.then(() => underWay.delete(work))
    },
    async settled() {
      await Promise.all(underWay)
    },
  }
}

/** An upload between its header and its last byte. */
interface Upload {
  path: Uint8Array
  /** Bytes announced. */
  size: number
  /** Bytes written. */
  bytes: number
  sink: FileSink
}

/** One request after the other, each answered as a whole before the next: replies carry no tags. */
async function serveFiles(session: StreamSession, socket: WebSocket, { now }: Services): Promise<void> {
  const { files } = session.host
  const frames = createFrameQueue(socket)
  session.onEnd(frames.end)
  const stray = createStrayData(now)
  let upload: Upload | undefined

  const send: Send = (frame) =>
    new Promise((resolve) => {
      if (socket.readyState !== socket.OPEN) return resolve(false)
      session.count('bytes_out', frame.length)
      socket.send(frame, { binary: true }, (error) => resolve(!error))
    })

  async function obey(frame: Uint8Array): Promise<void> {
    const meaning = stray.judge(frame)
    if (meaning === 'stray') return
    const request = readRequest(frame)
    if (request.kind === 'invalid') await send(encodeError(invalidHeaderText))
    else if (meaning === 'doubtful') await refuseDoubtful(request)
    else if (request.kind !== 'nothing') await act(request)
  }

  async function refuseDoubtful(request: ReadRequest): Promise<void> {
    if ('size' in request) stray.expect(request.size)
    await send(encodeError(doubtfulText))
  }

  async function act(request: FileRequest): Promise<void> {
    try {
      if (request.kind === 'list') await list(request.path)
      else if (request.kind === 'download') await download(request.path)
      else await beginUpload(request.path, request.size)
    } catch (error) {
      if (!(error instanceof FileError)) throw error
      if (request.kind !== 'list') noteTransfer(request.kind, request.path, { bytes: 0, outcome: 'refused', error })
      await send(encodeError(error.bytes))
    }
  }

  async function list(asked: Uint8Array): Promise<void> {
    const { path, entries } = await files.list(asked)
    await send(encodeList(path, entries))
  }

  async function download(path: Uint8Array): Promise<void> {
    const source = await files.open(path)
    try {
      const { bytes, outcome } = await sendFile(source, send)
      if (!(outcome instanceof FileError)) return noteTransfer('download', path, { bytes, outcome })
      noteTransfer('download', path, { bytes, outcome: 'failed', error: outcome })
      await send(encodeError(outcome.bytes))
    } finally {
      await source.close()
    }
  }

  async function beginUpload(path: Uint8Array, size: number): Promise<void> {
    // Before anything can fail: data may be on its way already.
    stray.expect(size)
    upload = { path, size, bytes: 0, sink: await files.beginUpload(path) }
    if (size === 0) await take(upload)
  }

  /** Everything is file data now. More than announced is taken too when it comes with the last of it. */
  async function take(current: Upload, frame?: Uint8Array): Promise<void> {
    try {
      if (frame) {
        await current.sink.write(frame)
        current.bytes += frame.length
      }
      if (current.bytes < current.size) return
      const way = await current.sink.finish()
      upload = undefined
      stray.expect(0)
      noteTransfer('upload', current.path, { bytes: current.bytes, outcome: 'done', way })
      await send(encodeUploaded())
    } catch (error) {
      if (!(error instanceof FileError)) throw error
      upload = undefined
      stray.expect(Math.max(0, current.size - current.bytes - (frame?.length ?? 0)))
      await current.sink.abort()
      noteTransfer('upload', current.path, { bytes: current.bytes, outcome: 'failed', error })
      await send(encodeError(error.bytes))
    }
  }

  function noteTransfer(kind: 'download' | 'upload', path: Uint8Array, { error, ...detail }: Told): void {
    const shown = textDecoder.decode(path.subarray(0, shownPathBytes))
    session.note(`file.${kind}`, { path: shown, ...detail, ...(error && { error: reasonIn(error) }) })
  }

  try {
    for (let frame = await frames.next(); frame; frame = await frames.next()) {
      session.count('bytes_in', frame.length)
      if (upload) await take(upload, frame)
      else await obey(frame)
    }
  } finally {
    if (upload) {
      await upload.sink.abort()
      noteTransfer('upload', upload.path, { bytes: upload.bytes, outcome: 'cancelled' })
    }
  }
}

/** What the audit log tells of a transfer beside its path. */
interface Told {
  bytes: number
  outcome: 'done' | 'cancelled' | 'failed' | 'refused'
  way?: string
  error?: FileError
}

/** For a client that had an upload refused and begins one that looks just like the last of its data. */
const doubtfulText = 'the upload before this one failed: send this one again'
/** Longer paths name nothing; the audit log need not keep them. */
const shownPathBytes = 4096
const textDecoder = new TextDecoder()

const reasonIn = ({ message }: FileError) => message.slice(0, shownPathBytes)
