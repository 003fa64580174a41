import { decodeFileRequest } from '../../src/schemas/frames/file.ts'

/** Distinguishes requests from file data that was sent for a failed upload. */
export interface LateUploadData {
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
