import { onTestFinished, vi } from 'vitest'
import type { ConnectionEvents, OpenConnection } from '../../../src/api/sessionConnection.ts'
import {
  handleWorkerMessages,
  type WorkerMessage,
  type WorkerRequest,
} from '../../../src/custom/files/transfer/handleWorkerMessages.ts'
import {
  decodeFileRequest,
  encodeDownloadHeader,
  encodeError,
  encodeList,
  encodeReady,
  encodeUploaded,
  type FileRequest,
  fileChunkBytes,
} from '../../../src/schemas/frames/file.ts'
import { pageWorker } from '../fakes/pageWorker.ts'

const encoder = new TextEncoder()

/** A machine in memory that answers file sessions as the contract has it. */
export class FakeMachine {
  /** Content by path; the folders are those that paths name. */
  readonly files = new Map<string, string>()
  readonly home = '/home/ann'
  /** What was asked for, as 'list /srv'. */
  readonly asked: string[] = []
  /** While it is true, nobody answers. */
  isSilent = false
  #announcesReady = false
  #upload: { path: string; size: number; content: string } | undefined

  constructor(files: Record<string, string>) {
    for (const [path, content] of Object.entries(files)) this.files.set(path, content)
  }

  readonly open: OpenConnection = (_url, events) => {
    queueMicrotask(() => events.onOpen())
    return { send: async (frame) => this.#receive(frame as Uint8Array, events), buffered: 0, close: () => {} }
  }

  #receive(frame: Uint8Array, events: ConnectionEvents): void {
    if (this.#upload) {
      this.#upload.content += new TextDecoder().decode(frame)
      if (this.#upload.content.length >= this.#upload.size) this.#store(events)
      return
    }
    const request = decodeFileRequest(frame)
    if (request.kind === 'announceReady') {
      this.#announcesReady = true
      return
    }
    if (!('path' in request)) throw new Error('The panel sent a broken frame.')
    const path = new TextDecoder().decode(request.path)
    this.asked.push(`${request.kind} ${path}`)
    if (!this.isSilent) void this.#answer(request, path, events)
  }

  async #answer(request: FileRequest, path: string, events: ConnectionEvents): Promise<void> {
    if (request.kind === 'list') return events.onMessage(this.#list(path))
    if (request.kind === 'upload') {
      this.#upload = { path, size: request.size, content: '' }
      if (request.size === 0) this.#store(events)
      else if (this.#announcesReady) await events.onMessage(encodeReady())
      return
    }
    const content = this.files.get(path)
    if (content === undefined) return events.onMessage(encodeError('open download file: no such file or directory'))
    if (content === '') return events.onMessage(encodeError('requested file is empty'))
    const bytes = encoder.encode(content)
    await events.onMessage(encodeDownloadHeader(bytes.length))
    for (let at = 0; at < bytes.length; at += fileChunkBytes) {
      await events.onMessage(bytes.slice(at, at + fileChunkBytes))
    }
  }

  #store(events: ConnectionEvents): void {
    if (this.#upload) this.files.set(this.#upload.path, this.#upload.content)
    this.#upload = undefined
    void events.onMessage(encodeUploaded())
  }

  #list(path: string): Uint8Array<ArrayBuffer> {
    const found = new Map<string, boolean>()
    for (const file of this.files.keys()) {
      const start = path === '/' ? '/' : `${path}/`
      if (!file.startsWith(start)) continue
      const [name = '', ...below] = file.slice(start.length).split('/')
      found.set(name, below.length > 0)
    }
    if (path === '' || (!found.size && path !== this.home)) return this.#list(this.home)
    const entries = [...found].map(([name, isDirectory]) => ({ name: encoder.encode(name), isDirectory }))
    return encodeList(encoder.encode(path), entries)
  }
}

/** Takes the place of the worker that owns the socket: it runs in the page, and its connection leads to the machine. */
export function workInPage(machine: FakeMachine): void {
  vi.stubGlobal(
    'Worker',
    pageWorker<WorkerRequest, WorkerMessage>((post) => handleWorkerMessages(post, machine.open)),
  )
  // Browsers read files as streams; the document of these tests cannot.
  Blob.prototype.stream ??= function (this: Blob) {
    return new ReadableStream({
      pull: async (controller) => {
        controller.enqueue(new Uint8Array(await this.arrayBuffer()))
        controller.close()
      },
    })
  }
  onTestFinished(() => void vi.unstubAllGlobals())
}
