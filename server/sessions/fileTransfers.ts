import {
  decodeFileRequest,
  encodeDownloadHeader,
  encodeReady,
  encodeUploaded,
  fileChunkBytes,
} from '../../src/schemas/frames/file.ts'
import {
  FileError,
  type FileSink,
  type FileSource,
  type HostFiles,
  type UploadMethod,
} from '../machines/hosts/files.ts'
import { bytesIn } from './messageQueue.ts'
import type { StreamSession } from './sessions.ts'

/** The uploads of one socket, one at a time. */
export interface FileUploads {
  isActive(): boolean
  /** From now on the client waits until the server announces that data may be sent. */
  announceReady(): void
  /**
   * Takes a header; the frames that follow are data.
   * @param isDoubtful whether it may be data of the upload before it, which failed
   * @throws FileError when the file cannot be written
   */
  begin(path: Uint8Array, size: number, isDoubtful: boolean): Promise<void>
  /** Takes a frame of data for the current upload, in the pieces in which it was received; without any, only its refusal. */
  take(pieces: readonly Uint8Array[]): Promise<void>
  /** No more data will come: an incomplete upload is removed. */
  abandon(): Promise<void>
}

interface Options {
  files: HostFiles
  send: Send
  /** Tells the client why an upload failed. */
  sendError: (error: FileError) => Promise<void>
  lateData: LateUploadData
  note: (transfer: TransferAuditEntry) => void
  /** Has `take` called with nothing when its turn has come. */
  askForAnswer: () => void
  /** Whether the person may still write: asked before a file is put in place. */
  stays: () => boolean
}

/** An upload between its header and its last byte. */
interface Upload {
  path: Uint8Array
  /** Bytes announced. */
  size: number
  /** Received bytes, and how many of them were written. */
  received: number
  bytes: number
  sink: FileSink
}

const doubtfulText = 'the upload before this one failed: send this one again'

export function createFileUploads({
  files,
  send,
  sendError,
  lateData,
  note,
  askForAnswer,
  stays,
}: Options): FileUploads {
  let current: Upload | undefined
  let announcesReady = false

  /** @param execute the next step of the upload; when it fails, the upload ends */
  async function attempt(upload: Upload, execute: () => Promise<void>): Promise<void> {
    try {
      await execute()
    } catch (error) {
      if (!(error instanceof FileError)) throw error
      current = undefined
      lateData.expect(Math.max(0, upload.size - upload.received))
      await upload.sink.abort()
      note({ path: upload.path, bytes: upload.bytes, outcome: 'failed', error })
      await sendError(error)
    }
  }

  async function finish({ path, bytes, sink }: Upload): Promise<void> {
    // Left incomplete: it is removed with the end of the socket.
    if (!stays()) return
    const way = await sink.finish()
    current = undefined
    lateData.expect(0)
    note({ path, bytes, outcome: 'done', way })
    await send(encodeUploaded())
  }

  return {
    isActive: () => current !== undefined,
    announceReady: () => {
      announcesReady = true
    },
    async begin(path, size, isDoubtful) {
      // Before anything can fail: data may be in flight already, unless the client waits for the announcement.
      lateData.expect(announcesReady ? 0 : size)
      if (isDoubtful) throw new FileError(Buffer.from(doubtfulText))
      const upload = { path, size, received: 0, bytes: 0, sink: await files.beginUpload(path, size) }
      current = upload
      upload.sink.onAnswer?.(askForAnswer)
      if (size === 0) await attempt(upload, () => finish(upload))
      else if (announcesReady) await send(encodeReady())
    },
    async take(pieces) {
      const upload = current
      if (!upload) return
      const length = bytesIn(pieces)
      upload.received += length
      await attempt(upload, async () => {
        await upload.sink.write(pieces)
        // Bytes beyond the announced size are written too when they come with the last frame.
        upload.bytes += length
        if (upload.bytes >= upload.size) await finish(upload)
      })
    },
    async abandon() {
      if (!current) return
      const { path, bytes, sink } = current
      current = undefined
      await sink.abort()
      note({ path, bytes, outcome: 'cancelled' })
    },
  }
}

/** Sends a frame and waits until it was sent; `false` when the connection is closed. */
export type Send = (frame: Uint8Array) => Promise<boolean>

/** How a transfer went: bytes of content that were moved, and how it ended. */
export interface TransferResult {
  bytes: number
  outcome: 'done' | 'cancelled' | 'failed'
  /** Why it failed; the client has not been told yet. */
  error?: FileError
}

/**
 * Sends a file: its size, then its content in full chunks and in order. While one chunk is sent, the next one is
 * read: at most two are in memory, whatever the size of the file and the speed of the connection.
 */
export async function sendFile(source: FileSource, send: Send): Promise<TransferResult> {
  const chunkBytes = Math.min(source.size, fileChunkBytes)
  const [even, odd] = [
    Buffer.allocUnsafe(chunkBytes),
    Buffer.allocUnsafe(Math.min(source.size - chunkBytes, chunkBytes)),
  ]
  let sending = send(encodeDownloadHeader(source.size))
  let bytes = 0
  try {
    for (let started = 0, buffer = even; started < source.size; buffer = buffer === even ? odd : even) {
      const chunk = buffer.subarray(0, source.size - started)
      await source.read(chunk)
      if (!(await sending)) return { bytes, outcome: 'cancelled' }
      bytes = started
      sending = send(chunk)
      started += chunk.length
    }
    return (await sending) ? { bytes: source.size, outcome: 'done' } : { bytes, outcome: 'cancelled' }
  } catch (error) {
    if (!(await sending)) return { bytes, outcome: 'cancelled' }
    if (error instanceof FileError) return { bytes, outcome: 'failed', error }
    throw error
  }
}

/** A transfer as the audit log records it. */
export interface TransferAuditEntry {
  path: Uint8Array
  /** Bytes of content that were moved. */
  bytes: number
  /** `refused`: it never started. `cancelled`: the connection was closed. */
  outcome: 'done' | 'cancelled' | 'failed' | 'refused'
  way?: UploadMethod
  error?: FileError
}

/** Maximum length of a path; longer ones cannot exist. */
const decoder = new TextDecoder()

/** Records the result of a transfer. Invalid UTF-8 in a path is replaced. */
export function auditTransfer(
  session: StreamSession,
  kind: 'download' | 'upload',
  { path, error, ...detail }: TransferAuditEntry,
): void {
  const shown = decoder.decode(path.subarray(0, longestPath))
  session.note(`file.${kind}`, { path: shown, ...detail, ...(error && { error: error.message.slice(0, longestPath) }) })
}

/** Distinguishes requests from file data that was sent for a failed upload. */
interface LateUploadData {
  /** An upload has failed: up to this many bytes of it may still arrive. */
  expect(bytes: number): void
  /**
   * What a frame is. `doubtful`: it reads as an upload and is exactly as long as the data still due. Executing it could
   * overwrite a file, and ignoring it would leave a correct client waiting.
   */
  classify(frame: Uint8Array): 'request' | 'late' | 'doubtful'
}

/** Bytes; the maximum of the operating system. */
const longestPath = 4096
/** Milliseconds without data after which no more is expected; a slow connection sends a chunk in that time. */
const quietMs = 60_000

/**
 * Clients send data without waiting for the reply to the header, so that data in flight arrives after the refusal, where
 * a frame is a request. Data comes in large chunks that cannot be requests, by their length or by zero bytes in what would
 * be the path; only the last chunk can be short, and it has exactly the missing length.
 * @param now the clock, in milliseconds since 1970
 */
export function createLateUploadData(now: () => number): LateUploadData {
  let due = 0
  let since = 0

  return {
    expect(bytes) {
      due = bytes
      since = now()
    },
    classify(frame) {
      if (due === 0 || now() - since > quietMs) return 'request'
      if (!couldBeRequest(frame)) {
        due = Math.max(0, due - frame.length)
        since = now()
        return 'late'
      }
      // The last chunk; or a request, after which no data follows because the client has stopped.
      const isLast = frame.length === due
      due = 0
      return isLast && decodeFileRequest(frame).kind === 'upload' ? 'doubtful' : 'request'
    },
  }
}

function couldBeRequest(frame: Uint8Array): boolean {
  const request = decodeFileRequest(frame)
  return 'path' in request && request.path.length <= longestPath && !request.path.includes(0)
}
