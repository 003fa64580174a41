import type { WebSocket } from 'ws'
import {
  decodeFileRequest,
  encodeError,
  encodeList,
  type FileRequest,
  invalidHeaderText,
} from '../../src/schemas/frames/file.ts'
import type { Log } from '../log.ts'
import { FileError } from '../machines/hosts/files.ts'
import {
  auditTransfer,
  createFileUploads,
  createLateUploadData,
  type Send,
  sendFile,
  type TransferAuditEntry,
} from './fileTransfers.ts'
import { bytesIn, createMessageQueue, nothing } from './messageQueue.ts'
import { closeUnavailable, type Serve } from './sessionSocket.ts'
import type { StreamSession } from './sessions.ts'

export interface FileSockets {
  serve: Serve
  /** Resolves when all requests have ended and incomplete uploads are removed from the disk. */
  settled(): Promise<void>
}

interface Services {
  log: Pick<Log, 'error'>
  /** The clock, in milliseconds since 1970. */
  now: () => number
}

/** Connects the sockets of a session with the files of its machine (docs/contract/CONTRACT.md#102-wsfilesession_id). */
export function createFileSockets(services: Services): FileSockets {
  const running = new Set<Promise<void>>()
  return {
    serve:
      (session) =>
      (socket, { stays }) => {
        const work = serveFiles(session, { socket, stays }, services).catch((error: unknown) => {
          services.log.error(`A file session on ${session.server.name} failed:`, error)
          session.end('failed')
        })
        running.add(work)
        void work.then(() => running.delete(work))
      },
    async settled() {
      await Promise.all(running)
    },
  }
}

/** Handles one request after the other, because replies carry no ids. */
async function serveFiles(
  session: StreamSession,
  { socket, stays }: { socket: WebSocket; stays: () => boolean },
  { now }: Services,
): Promise<void> {
  const { files } = session.host
  const frames = createMessageQueue(socket)
  session.onEnd(frames.end)
  const send = senderTo(socket, session)
  const lateData = createLateUploadData(now)
  const note = (entry: TransferAuditEntry) => auditTransfer(session, 'upload', entry)
  const uploads = createFileUploads({ files, send, sendError, lateData, note, askForAnswer: frames.nudge, stays })

  async function sendError({ bytes, unavailable }: FileError): Promise<void> {
    if (unavailable) closeUnavailable(socket, session, unavailable)
    else await send(encodeError(bytes))
  }

  async function handle(frame: Uint8Array): Promise<void> {
    const meaning = lateData.classify(frame)
    if (meaning === 'late') return
    const request = decodeFileRequest(frame)
    if (request.kind === 'invalid') await send(encodeError(invalidHeaderText))
    else if (request.kind === 'announceReady') uploads.announceReady()
    else if (request.kind !== 'ignored') await execute(request, meaning === 'doubtful')
  }

  async function execute(request: FileRequest, isDoubtful: boolean): Promise<void> {
    const { kind, path } = request
    try {
      if (kind === 'list') await list(path)
      else if (kind === 'download') await download(path)
      else await uploads.begin(path, request.size, isDoubtful)
    } catch (error) {
      if (!(error instanceof FileError)) throw error
      if (kind !== 'list') auditTransfer(session, kind, { path, bytes: 0, outcome: 'refused', error })
      await sendError(error)
    }
  }

  async function list(requestedPath: Uint8Array): Promise<void> {
    const { path, entries } = await files.list(requestedPath)
    await send(encodeList(path, entries))
  }

  async function download(path: Uint8Array): Promise<void> {
    const source = await files.open(path)
    try {
      const { bytes, outcome, error } = await sendFile(source, send)
      auditTransfer(session, 'download', { path, bytes, outcome, error })
      if (error) await sendError(error)
    } finally {
      await source.close()
    }
  }

  try {
    for (let pieces = await frames.next(); pieces && stays(); pieces = await frames.next()) {
      session.count('bytes_in', bytesIn(pieces))
      if (uploads.isActive()) await uploads.take(pieces)
      else if (pieces !== nothing) await handle(Buffer.concat(pieces))
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
