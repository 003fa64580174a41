import {
  decodeFileReply,
  encodeDownloadRequest,
  encodeListRequest,
  type FileReply,
  isDownloadError,
} from '../../../../src/schemas/frames/file.ts'
import { FileError, type FileSource, type HostFiles } from '../files.ts'
import type { AgentStreams } from './agentStreams.ts'
import { beginAgentUpload } from './agentUpload.ts'
import { type FileStream, openFileStream, unavailable } from './fileStream.ts'

/** Milliseconds to wait for the reply to a request, and for the next chunk of a file. */
const replyMs = 10_000
const chunkMs = 60_000
/** Milliseconds that a stream is kept for the next request. */
const idleMs = 10_000
/** Bytes of the marker of an error. */
const markerBytes = 4

/**
 * The files of the agent's machine, with the permissions of the agent's user. Each operation has a stream of its own,
 * because replies carry no ids; after one that ended in step, its stream serves the next one.
 */
export function createAgentFiles(streams: AgentStreams): HostFiles {
  const idleStreams = new Map<FileStream, NodeJS.Timeout>()

  async function takeStream(): Promise<FileStream> {
    for (const [stream, timer] of idleStreams) {
      clearTimeout(timer)
      idleStreams.delete(stream)
      if (!stream.hasEnded() && !stream.hasFrame()) return stream
      stream.end()
    }
    return openFileStream(streams)
  }

  function keep(stream: FileStream): void {
    const timer = setTimeout(() => {
      idleStreams.delete(stream)
      stream.end()
    }, idleMs)
    timer.unref()
    idleStreams.set(stream, timer)
  }

  /** Passes a stream to an operation, and ends it if that fails. */
  async function withStream<T>(operation: (stream: FileStream) => Promise<T>): Promise<T> {
    const stream = await takeStream()
    try {
      return await operation(stream)
    } catch (error) {
      stream.end()
      throw error
    }
  }

  return {
    list: (path) =>
      withStream(async (stream) => {
        await stream.send(encodeListRequest(path))
        const { path: shownPath, entries } = await reply(stream, 'list')
        keep(stream)
        return { path: shownPath, entries }
      }),
    open: (path) =>
      withStream(async (stream) => {
        await stream.send(encodeDownloadRequest(path))
        const { size } = await reply(stream, 'download')
        return sourceOf(stream, size, path, () => keep(stream))
      }),
    beginUpload: (path, size) => withStream((stream) => beginAgentUpload(stream, path, size, () => keep(stream))),
  }
}

/** @throws FileError when the agent refuses, sends something else, or does not reply */
async function reply<Kind extends FileReply['kind']>(
  stream: FileStream,
  kind: Kind,
): Promise<Extract<FileReply, { kind: Kind }>> {
  const frame = await stream.receive(replyMs)
  if (!frame) throw unavailable('silent', 'the agent did not answer within 10 s')
  const decoded = decodeFileReply(frame)
  if (decoded.kind === 'error') throw new FileError(frame.subarray(markerBytes))
  if (decoded.kind !== kind) throw new FileError(Buffer.from('the agent sent an unknown answer'))
  return decoded as Extract<FileReply, { kind: Kind }>
}

/** @param onComplete called at the end when all of it was read, so that the stream can be used again */
function sourceOf(stream: FileStream, size: number, path: Uint8Array, onComplete: () => void): FileSource {
  let notReceived = size
  let chunk: Uint8Array = new Uint8Array()

  async function nextChunk(): Promise<Uint8Array> {
    const frame = await stream.receive(chunkMs)
    if (!frame) throw unavailable('silent', 'the agent sends no more of the file')
    if (isDownloadError(frame, notReceived, path)) throw new FileError(frame.subarray(markerBytes))
    if (frame.length > notReceived) throw new FileError(Buffer.from('the agent sent more than it announced'))
    notReceived -= frame.length
    return frame
  }

  return {
    size,
    async read(into) {
      for (let filled = 0; filled < into.length; ) {
        if (chunk.length === 0) chunk = await nextChunk()
        const part = chunk.subarray(0, into.length - filled)
        into.set(part, filled)
        filled += part.length
        chunk = chunk.subarray(part.length)
      }
    },
    async close() {
      if (notReceived === 0 && chunk.length === 0) onComplete()
      else stream.end()
    },
  }
}
