import { onTestFinished, vi } from 'vitest'
import type { LineEvents, OpenLine } from '../../../src/custom/files/transfer/fileConnection.ts'
import type { FromFiles, ToFiles } from '../../../src/custom/files/transfer/messages.ts'
import { serveFiles } from '../../../src/custom/files/transfer/serveFiles.ts'
import {
  encodeDownloadHeader,
  encodeError,
  encodeList,
  encodeReady,
  encodeUploaded,
  type FileRequest,
  fileChunkBytes,
  readRequest,
} from '../../../src/schemas/frames/file.ts'

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
  #tellsReady = false
  #upload: { path: string; size: number; content: string } | undefined

  constructor(files: Record<string, string>) {
    for (const [path, content] of Object.entries(files)) this.files.set(path, content)
  }

  readonly open: OpenLine = (_url, events) => {
    queueMicrotask(() => events.onOpen())
    return { send: async (frame) => this.#take(frame, events), waiting: 0, close: () => {} }
  }

  #take(frame: Uint8Array, events: LineEvents): void {
    if (this.#upload) {
      this.#upload.content += new TextDecoder().decode(frame)
      if (this.#upload.content.length >= this.#upload.size) this.#keep(events)
      return
    }
    const request = readRequest(frame)
    if (request.kind === 'tellReady') {
      this.#tellsReady = true
      return
    }
    if (!('path' in request)) throw new Error('The panel sent a broken frame.')
    const path = new TextDecoder().decode(request.path)
    this.asked.push(`${request.kind} ${path}`)
    if (!this.isSilent) void this.#answer(request, path, events)
  }

  async #answer(request: FileRequest, path: string, events: LineEvents): Promise<void> {
    if (request.kind === 'list') return events.onFrame(this.#list(path))
    if (request.kind === 'upload') {
      this.#upload = { path, size: request.size, content: '' }
      if (request.size === 0) this.#keep(events)
      else if (this.#tellsReady) await events.onFrame(encodeReady())
      return
    }
    const content = this.files.get(path)
    if (content === undefined) return events.onFrame(encodeError('open download file: no such file or directory'))
    if (content === '') return events.onFrame(encodeError('requested file is empty'))
    const bytes = encoder.encode(content)
    await events.onFrame(encodeDownloadHeader(bytes.length))
    for (let at = 0; at < bytes.length; at += fileChunkBytes) {
      await events.onFrame(bytes.slice(at, at + fileChunkBytes))
    }
  }

  #keep(events: LineEvents): void {
    if (this.#upload) this.files.set(this.#upload.path, this.#upload.content)
    this.#upload = undefined
    void events.onFrame(encodeUploaded())
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

/** Takes the place of the worker that owns the socket: it runs in the page, and its line leads to the machine. */
export function workInPage(machine: FakeMachine): void {
  class PageWorker {
    onmessage: ((event: { data: FromFiles }) => void) | undefined
    #isOver = false
    readonly #served = serveFiles((message) => {
      queueMicrotask(() => this.#isOver || this.onmessage?.({ data: message }))
    }, machine.open)
    postMessage(message: ToFiles) {
      queueMicrotask(() => this.#served.receive(message))
    }
    terminate() {
      this.#isOver = true
    }
  }
  vi.stubGlobal('Worker', PageWorker)
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
