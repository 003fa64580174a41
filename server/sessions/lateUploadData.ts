import { readRequest } from '../../src/schemas/frames/file.ts'

/** Tells requests from file data that was sent for an upload that failed. */
export interface StrayData {
  /** An upload has failed: up to so many bytes for it may still come. */
  expect(bytes: number): void
  /**
   * What a frame is. `doubtful`: it reads as an upload and is just as long as the data that is still due; obeying could
   * cost a file, and ignoring would leave an honest client waiting.
   */
  judge(frame: Uint8Array): 'request' | 'stray' | 'doubtful'
}

/** Bytes; the system takes no longer paths. */
const longestPath = 4096
/** Milliseconds without data after which none is on its way any more; even slow lines move a chunk in that time. */
const quietMs = 60_000

/**
 * Clients send data without waiting for an answer to the header, so what was under way arrives after the refusal, where
 * a frame is a request. Data comes in large chunks, which are no requests by their length or by the zero bytes in what
 * would be a path; only the last chunk can be short, and that one has exactly the length that is still missing.
 * @param now the clock, in milliseconds since 1970
 */
export function createStrayData(now: () => number): StrayData {
  let due = 0
  let since = 0

  return {
    expect(bytes) {
      due = bytes
      since = now()
    },
    judge(frame) {
      if (due === 0 || now() - since > quietMs) return 'request'
      if (!couldBeRequest(frame)) {
        due = Math.max(0, due - frame.length)
        since = now()
        return 'stray'
      }
      // The last of the data; or a request, after which no data comes because the client has stopped.
      const isLast = frame.length === due
      due = 0
      return isLast && readRequest(frame).kind === 'upload' ? 'doubtful' : 'request'
    },
  }
}

function couldBeRequest(frame: Uint8Array): boolean {
  const request = readRequest(frame)
  return 'path' in request && request.path.length <= longestPath && !request.path.includes(0)
}
