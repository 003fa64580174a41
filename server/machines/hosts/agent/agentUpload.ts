import { decodeFileReply, encodeUploadRequest } from '../../../../src/schemas/frames/file.ts'
import { FileError, type FileSink } from '../files.ts'
import { type FileStream, unavailable } from './fileStream.ts'

/** Bytes; larger uploads wait a moment for a refusal before their data is sent. */
const smallUpload = 256 * 1024
/** Milliseconds to wait for a refusal: about two replies of the agent. */
const refusalMs = { least: 30, most: 300 }
/** Milliseconds to wait for the confirmation after the last byte: a slow line may still hold some megabytes. */
const confirmMs = 120_000
/** Bytes of the marker of an error. */
const markerBytes = 4

/**
 * Starts to write a file (docs/contract/AGENT.md#8-iostream-sessions-m). The agent empties the file at once and writes
 * into it: an upload that is broken off leaves a part.
 * @param onComplete called when the agent has confirmed all of it, so that the stream can be used again
 * @throws FileError when the agent refuses
 */
export async function beginAgentUpload(
  stream: FileStream,
  path: Uint8Array,
  size: number,
  onComplete: () => void,
): Promise<FileSink> {
  let left = size

  /** @throws FileError for a reply before the end, which is always a refusal */
  function refuse(frame: Uint8Array): never {
    const isError = decodeFileReply(frame).kind === 'error'
    throw new FileError(isError ? frame.subarray(markerBytes) : Buffer.from('the agent sent an unknown answer'))
  }

  await stream.send(encodeUploadRequest(path, size))
  if (size > smallUpload) {
    const waitMs = Math.min(Math.max(refusalMs.least, 2 * stream.openedInMs), refusalMs.most)
    const refusal = await stream.receive(waitMs)
    if (refusal) refuse(refusal)
  }

  /** @throws FileError when the agent has refused, or its connection has ended */
  async function refuseIfAnswered(): Promise<void> {
    if (stream.hasFrame() || stream.hasEnded()) refuse((await stream.receive(0)) as Uint8Array)
  }

  return {
    onAnswer: stream.onAnswer,
    async write(pieces) {
      await refuseIfAnswered()
      for (const piece of pieces) {
        // What exceeds the announced size would be read as a request.
        const data = piece.subarray(0, left)
        left -= data.length
        for (const frame of uploadFrames(data)) {
          await refuseIfAnswered()
          await stream.send(frame)
        }
      }
    },
    async finish() {
      const frame = await stream.receive(confirmMs)
      if (!frame) throw unavailable('silent', 'the agent did not confirm the upload')
      if (decodeFileReply(frame).kind !== 'uploaded') refuse(frame)
      onComplete()
      return 'in place'
    },
    async abort() {
      stream.end()
    },
  }
}

const uploadOpcode = 2
/** Bytes of one frame of data. */
const maxFrameBytes = 512 * 1024
/** Bytes of a request to upload whose path is longer than any system allows. */
const tooLongRequest = 128 * 1024
/** Bytes of a request to upload that is too short to have a size. */
const tooShortRequest = 8

/**
 * Cuts data into frames of which none can be understood as a request to write a file. After an error, as on a full disk,
 * the agent reads the data that is still on its way as requests, and data that begins with the opcode of an upload could
 * overwrite any file. Other requests only read.
 */
export function* uploadFrames(data: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < data.length; ) {
    const rest = data.length - start
    const isDangerous = data[start] === uploadOpcode && rest < tooLongRequest
    const length = Math.min(rest, isDangerous ? tooShortRequest : maxFrameBytes)
    yield data.subarray(start, start + length)
    start += length
  }
}
