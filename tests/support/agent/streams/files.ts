import { createReadStream, createWriteStream, type WriteStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import {
  decodeFileRequest,
  encodeDownloadHeader,
  encodeError,
  encodeList,
  encodeUploaded,
  fileChunkBytes,
  invalidHeaderText,
} from '../../../../src/schemas/frames/file.ts'
import { goErrorText } from '../goErrorText.ts'
import type { ServingAgent } from '../servingAgent.ts'
import type { SessionStream } from './attach.ts'

interface Upload {
  file: WriteStream
  remaining: number
}

/** Serves a file session (docs/contract/CONTRACT.md#102-wsfilesession_id), one request after the other. */
export function openFiles(stream: SessionStream, agent: Pick<ServingAgent, 'home' | 'traits'>): void {
  let upload: Upload | undefined
  let queue = Promise.resolve()
  const drained = drainOf(stream)
  stream.onFrame((frame) => {
    queue = queue.then(() => handle(Buffer.from(frame)))
  })
  stream.onEnd(() => upload?.file.destroy())

  async function handle(frame: Buffer): Promise<void> {
    if (upload) return receive(upload, frame)
    const request = decodeFileRequest(frame)
    if (request.kind === 'invalid') return void stream.send(encodeError(invalidHeaderText))
    if (!('path' in request)) return
    const path = Buffer.from(request.path).toString()
    if (request.kind === 'list') return list(path)
    if (request.kind === 'download') return download(path)
    return startUpload(path, request.size)
  }

  async function list(path: string): Promise<void> {
    const read = (folder: string) => readdir(folder, { withFileTypes: true }).catch(() => undefined)
    let [folder, entries] = [path, await read(path)]
    if (!entries) [folder, entries] = [`${agent.home.replace(/\/$/, '')}/`, (await read(agent.home)) ?? []]
    const sorted = entries.toSorted((one, other) => Buffer.compare(Buffer.from(one.name), Buffer.from(other.name)))
    stream.send(
      encodeList(
        Buffer.from(folder),
        sorted.map((entry) => ({ name: Buffer.from(entry.name), isDirectory: entry.isDirectory() })),
      ),
    )
  }

  async function download(path: string): Promise<void> {
    try {
      const { size } = await stat(path).catch((error) => {
        const name = agent.traits.namesPathInErrors ? path : 'download file'
        throw new Error(`open ${name}: ${goErrorText(error)}`)
      })
      if (size === 0) throw new Error('requested file is empty')
      stream.send(encodeDownloadHeader(size))
      const source = createReadStream(path, { highWaterMark: fileChunkBytes })
      for await (const chunk of inChunks(source)) {
        if (!stream.send(chunk)) await drained()
      }
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      stream.send(encodeError(code ? `read ${path}: ${goErrorText(error)}` : (error as Error).message))
    }
  }

  async function startUpload(path: string, size: number): Promise<void> {
    const file = createWriteStream(path)
    const error = await new Promise<unknown>((resolve) => {
      file.once('open', () => resolve(undefined))
      file.once('error', resolve)
    })
    if (error) return void stream.send(encodeError(`open ${path}: ${goErrorText(error)}`))
    upload = { file, remaining: size }
    if (size === 0) await finish(upload)
  }

  async function receive(current: Upload, frame: Buffer): Promise<void> {
    current.remaining -= frame.length
    stream.pause()
    await new Promise((resolve) => current.file.write(frame, resolve))
    stream.resume()
    if (current.remaining <= 0) await finish(current)
  }

  async function finish({ file }: Upload): Promise<void> {
    await new Promise<void>((resolve) => file.end(resolve))
    upload = undefined
    stream.send(encodeUploaded())
  }
}

/** Whole chunks of 1 MiB and a rest, however the file is read. */
async function* inChunks(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const bytes of source) {
    rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes])
    for (; rest.length >= fileChunkBytes; rest = rest.subarray(fileChunkBytes)) yield rest.subarray(0, fileChunkBytes)
  }
  if (rest.length > 0) yield rest
}

/** A function that waits until the stream takes more, or has ended. */
export function drainOf(stream: SessionStream): () => Promise<void> {
  let proceed: (() => void) | undefined
  let hasEnded = false
  stream.onDrain(() => proceed?.())
  stream.onEnd(() => {
    hasEnded = true
    proceed?.()
  })
  return async () => {
    if (!hasEnded) await new Promise<void>((resolve) => (proceed = resolve))
    if (hasEnded) throw new Error('the session has ended')
  }
}
