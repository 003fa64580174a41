import { encodeReady, encodeUploaded } from '../../src/schemas/frames/file.ts'
import { FileError, type FileSink, type HostFiles } from '../machines/hosts/files.ts'
import type { Send } from './fileTransfers.ts'
import type { LateUploadData } from './lateUploadData.ts'
import { bytesIn } from './messageQueue.ts'
import type { TransferAuditEntry } from './transferAudit.ts'

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
