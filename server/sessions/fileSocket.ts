import type { WebSocket } from 'ws'
import {
  encodeError,
  encodeList,
  type FileRequest,
  invalidHeaderText,
  readRequest,
} from '../../src/schemas/frames/file.ts'
import type { Log } from '../log.ts'
import { FileError } from '../machines/hosts/files.ts'
import { type Send, sendFile } from './fileTransfers.ts'
import { createFileUploads } from './fileUpload.ts'
import { bytesIn, createFrameQueue } from './frameQueue.ts'
import { createStrayData } from './lateUploadData.ts'
import type { Serve } from './sessionSocket.ts'
import type { StreamSession } from './sessions.ts'
import { noteTransfer } from './transferAudit.ts'

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

/** Connects the sockets of a session with the files of its machine (docs/contract/CONTRACT.md#102-wsfilesession_id). */
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

/** One request after the other, each answered as a whole before the next: replies carry no tags. */
async function serveFiles(session: StreamSession, socket: WebSocket, { now }: Services): Promise<void> {
  const { files } = session.host
  const frames = createFrameQueue(socket)
  session.onEnd(frames.end)
  const send = senderTo(socket, session)
  const stray = createStrayData(now)
  const uploads = createFileUploads({ files, send, stray, note: (told) => noteTransfer(session, 'upload', told) })

  async function obey(frame: Uint8Array): Promise<void> {
    const meaning = stray.judge(frame)
    if (meaning === 'stray') return
    const request = readRequest(frame)
    if (request.kind === 'invalid') await send(encodeError(invalidHeaderText))
    else if (request.kind === 'tellReady') uploads.tellReady()
    else if (request.kind !== 'nothing') await act(request, meaning === 'doubtful')
  }

  async function act(request: FileRequest, isDoubtful: boolean): Promise<void> {
    const { kind, path } = request
    try {
      if (kind === 'list') await list(path)
      else if (kind === 'download') await download(path)
      else await uploads.begin(path, request.size, isDoubtful)
    } catch (error) {
      if (!(error instanceof FileError)) throw error
      if (kind !== 'list') noteTransfer(session, kind, { path, bytes: 0, outcome: 'refused', error })
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
      const { bytes, outcome, error } = await sendFile(source, send)
      noteTransfer(session, 'download', { path, bytes, outcome, error })
      if (error) await send(encodeError(error.bytes))
    } finally {
      await source.close()
    }
  }

  try {
    for (let pieces = await frames.next(); pieces; pieces = await frames.next()) {
      session.count('bytes_in', bytesIn(pieces))
      if (uploads.isUnderWay()) await uploads.take(pieces)
      else await obey(Buffer.concat(pieces))
    }
  } finally {
    await uploads.abandon()
  }
}

function senderTo(socket: WebSocket, session: StreamSession): Send {
  return (frame) =>
    new Promise((resolve) => {
      if (socket.readyState !== socket.OPEN) return resolve(false)
      session.count('bytes_out', frame.length)
      socket.send(frame, { binary: true }, (error) => resolve(!error))
    })
}
