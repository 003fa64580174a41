import { createHash, randomBytes } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FileError } from '../files.ts'
import {
  type DownloadedFile,
  hashMismatch,
  OperationError,
  operationLimits,
  type UploadOrder,
  type WriteResult,
} from '../operations.ts'
import { taskTypes } from './agentConnection.ts'
import type { AgentStreams } from './agentStreams.ts'
import { type FileStream, openFileStream } from './fileStream.ts'

/** Milliseconds to wait for the agent's next frame, and for its confirmation after the last byte of an upload. */
const frameMs = 60_000
/** Bytes of one frame to the agent. */
const maxFrameBytes = 512 * 1024
const markerBytes = 4
const numberBytes = 8
const hashBytes = 32

/** What the frames of a transfer begin with (docs/contract/AGENT.md#93-transfer-exec-fs). */
type Marker = 'NZTD' | 'NZTC' | 'NZTO' | 'NZTU'

/**
 * Gathers a file of the agent's machine in a file without a name, so that nothing is passed on before its size and its
 * hash were right.
 * @throws OperationError, or the reason of the signal
 */
export function downloadByAgent(streams: AgentStreams, path: string, signal: AbortSignal): Promise<DownloadedFile> {
  return withStream(streams, { op: 'download', path }, signal, async (stream) => {
    const size = numberIn(await frameOf(stream, ['NZTD']))
    if (size > operationLimits.transferBytes) throw refused('file exceeds the transfer limit of 100 MiB')
    const file = await openNameless()
    try {
      await gather(stream, file, size)
      return { size, content: file.createReadStream({ start: 0 }) }
    } catch (error) {
      await file.close()
      throw error
    }
  })
}

async function gather(stream: FileStream, file: FileHandle, size: number): Promise<void> {
  const hash = createHash('sha256')
  let received = 0
  for (;;) {
    const frame = await frameOf(stream, ['NZTC', 'NZTO'])
    if (markerOf(frame) === 'NZTO') {
      const isWhole = received === size && numberIn(frame) === size && hashIn(frame) === hash.digest('hex')
      if (!isWhole) throw refused(hashMismatch)
      return
    }
    const data = frame.subarray(markerBytes + numberBytes)
    received += data.length
    if (received > size) throw refused('the agent sent more than it announced')
    hash.update(data)
    await file.write(data)
  }
}

/** Replaces a file of the agent's machine. @throws OperationError, the error of the stream, or the reason of the signal */
export function uploadByAgent(
  streams: AgentStreams,
  order: UploadOrder,
  content: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<WriteResult> {
  return withStream(streams, { op: 'upload', ...order }, signal, async (stream) => {
    await frameOf(stream, ['NZTU'])
    const hash = createHash('sha256')
    let sent = 0
    for await (const chunk of content) {
      hash.update(chunk)
      sent += chunk.length
      for (let start = 0; start < chunk.length; start += maxFrameBytes) {
        // A frame before the end is always a refusal.
        if (stream.hasFrame()) await frameOf(stream, [])
        await stream.send(chunk.subarray(start, start + maxFrameBytes))
      }
    }
    if (sent !== order.size) throw refused('the upload ended early')
    const sha256 = hash.digest('hex')
    const isStored = hashIn(await frameOf(stream, ['NZTO'])) === sha256
    if (!isStored || (order.expected_sha256 && order.expected_sha256 !== sha256)) throw refused(hashMismatch)
    return { size: sent, sha256 }
  })
}

/** @throws OperationError, or the reason of the signal */
async function withStream<T>(
  streams: AgentStreams,
  order: object,
  signal: AbortSignal,
  work: (stream: FileStream) => Promise<T>,
): Promise<T> {
  try {
    signal.throwIfAborted()
    const stream = await openFileStream(streams, taskTypes.transferFile, order)
    signal.addEventListener('abort', stream.end, { once: true })
    try {
      return await work(stream)
    } finally {
      signal.removeEventListener('abort', stream.end)
      stream.end()
    }
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof FileError)) throw error
    const failure = error.unavailable === 'offline' ? 'offline' : error.unavailable === 'silent' ? 'timeout' : 'refused'
    throw new OperationError(failure, error.message, error)
  }
}

/** The next frame, of one of these kinds. @throws OperationError */
async function frameOf(stream: FileStream, markers: readonly Marker[]): Promise<Uint8Array> {
  const frame = await stream.receive(frameMs)
  if (!frame) throw new OperationError('timeout', 'agent did not respond within timeout')
  const marker = markerOf(frame)
  if (marker === 'NZTE') throw refused(Buffer.from(frame.subarray(markerBytes)).toString())
  if (!(markers as readonly string[]).includes(marker)) throw refused('the agent sent an unknown answer')
  return frame
}

const refused = (message: string) => new OperationError('refused', message)
const markerOf = (frame: Uint8Array) => Buffer.from(frame.subarray(0, markerBytes)).toString('latin1')

/** @throws OperationError when the frame is too short */
function numberIn(frame: Uint8Array): number {
  if (frame.length < markerBytes + numberBytes) throw refused('the agent sent an unknown answer')
  return Number(Buffer.from(frame).readBigUInt64BE(markerBytes))
}

const hashIn = (frame: Uint8Array) => {
  const start = markerBytes + numberBytes
  return Buffer.from(frame.subarray(start, start + hashBytes)).toString('hex')
}

/** A file that nobody else can open, and that is gone when it is closed. */
async function openNameless(): Promise<FileHandle> {
  const path = join(tmpdir(), `wheelhouse-download-${randomBytes(12).toString('hex')}`)
  const file = await open(path, 'wx+', 0o600)
  // Windows keeps the name until then.
  if (process.platform !== 'win32') await unlink(path)
  return file
}
