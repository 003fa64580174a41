import { encodeError, encodeReady, encodeUploaded } from '../../src/schemas/frames/file.ts'
import { FileError, type FileSink, type HostFiles } from '../machines/hosts/files.ts'
import type { Send } from './fileTransfers.ts'
import { bytesIn } from './frameQueue.ts'
import type { StrayData } from './lateUploadData.ts'
import type { TransferNote } from './transferAudit.ts'

/** The uploads of one socket, of which one at most is under way. */
export interface FileUploads {
  isUnderWay(): boolean
  /** From now on the client waits for word before it sends data. */
  tellReady(): void
  /**
   * Takes a header; the frames that follow are data.
   * @param isDoubtful whether it may be data of the upload before it, which failed
   * @throws FileError when the file cannot be written
   */
  begin(path: Uint8Array, size: number, isDoubtful: boolean): Promise<void>
  /** Takes a frame of data, in the pieces in which it came, for the one that is under way. */
  take(pieces: readonly Uint8Array[]): Promise<void>
  /** Nothing more will come: what is not complete is undone. */
  abandon(): Promise<void>
}

interface Options {
  files: HostFiles
  send: Send
  stray: StrayData
  note: (transfer: TransferNote) => void
}

/** An upload between its header and its last byte. */
interface Upload {
  path: Uint8Array
  /** Bytes announced. */
  size: number
  /** Bytes that came, and those of them that were written. */
  came: number
  bytes: number
  sink: FileSink
}

const doubtfulText = 'the upload before this one failed: send this one again'

export function createFileUploads({ files, send, stray, note }: Options): FileUploads {
  let underWay: Upload | undefined
  let tellsReady = false

  /** @param act what is done with it; when that fails, the upload is over */
  async function attempt(upload: Upload, act: () => Promise<void>): Promise<void> {
    try {
      await act()
    } catch (error) {
      if (!(error instanceof FileError)) throw error
      underWay = undefined
      stray.expect(Math.max(0, upload.size - upload.came))
      await upload.sink.abort()
      note({ path: upload.path, bytes: upload.bytes, outcome: 'failed', error })
      await send(encodeError(error.bytes))
    }
  }

  async function finish({ path, bytes, sink }: Upload): Promise<void> {
    const way = await sink.finish()
    underWay = undefined
    stray.expect(0)
    note({ path, bytes, outcome: 'done', way })
    await send(encodeUploaded())
  }

  return {
    isUnderWay: () => underWay !== undefined,
    tellReady: () => {
      tellsReady = true
    },
    async begin(path, size, isDoubtful) {
      // Before anything can fail: data may be on its way already, unless the client waits for word.
      stray.expect(tellsReady ? 0 : size)
      if (isDoubtful) throw new FileError(Buffer.from(doubtfulText))
      const upload = { path, size, came: 0, bytes: 0, sink: await files.beginUpload(path) }
      underWay = upload
      if (size === 0) await attempt(upload, () => finish(upload))
      else if (tellsReady) await send(encodeReady())
    },
    async take(pieces) {
      const upload = underWay
      if (!upload) return
      const length = bytesIn(pieces)
      upload.came += length
      await attempt(upload, async () => {
        await upload.sink.write(pieces)
        // More than announced is taken too when it comes with the last of it.
        upload.bytes += length
        if (upload.bytes >= upload.size) await finish(upload)
      })
    },
    async abandon() {
      if (!underWay) return
      const { path, bytes, sink } = underWay
      underWay = undefined
      await sink.abort()
      note({ path, bytes, outcome: 'cancelled' })
    },
  }
}
