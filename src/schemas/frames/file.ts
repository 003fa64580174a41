/**
 * The binary messages of a file session (docs/contract/CONTRACT.md#102-wsfilesession_id), both ways. Numbers are
 * big-endian. Paths and names are bytes: usually UTF-8, but a file system does not promise it, and a name that is not
 * must come back as it was.
 */
type Bytes = Uint8Array<ArrayBuffer>

export type FileRequest =
  | { kind: 'list'; path: Uint8Array }
  | { kind: 'download'; path: Uint8Array }
  /** Followed by frames of file data until `size` bytes are sent. */
  | { kind: 'upload'; path: Uint8Array; size: number }

/**
 * What a frame asks for. `nothing`: it is to be ignored; `invalid`: it is answered with an error. `tellReady` is ours,
 * and only for servers that announce it by `wheelhouse.upload_ready` in `GET /setting`: from now on each upload is
 * answered with `ready`, or an error, before its data is sent.
 */
export type ReadRequest = FileRequest | { kind: 'nothing' } | { kind: 'invalid' } | { kind: 'tellReady' }

export interface FileEntry {
  /** At most 255 bytes, not empty, without a slash. */
  name: Uint8Array
  /** Links are none, even those to a directory. */
  isDirectory: boolean
}

export type FileReply =
  /** `path` is the one asked for, unchanged, or the home directory when that one could not be listed. */
  | { kind: 'list'; path: Uint8Array; entries: FileEntry[] }
  /** Followed by `size` bytes of data in frames without a marker. */
  | { kind: 'download'; size: number }
  | { kind: 'uploaded' }
  /** The data of an upload may come: only for clients that asked to be told. */
  | { kind: 'ready' }
  | { kind: 'error'; text: string }
  /** None of the above, or cut short. */
  | { kind: 'unknown' }

/** Bytes of a data frame; the last of a file may be shorter. */
export const fileChunkBytes = 1_048_576
/** What an upload header that ends within its size is told. */
export const invalidHeaderText = 'data is invalid'

const opcodes = { list: 0, download: 1, upload: 2, tellReady: 3 }
const markers = { list: 'NZFN', download: 'NZTD', error: 'NERR', uploaded: 'NZUP', ready: 'NZGO' }
const markerBytes = 4
const sizeBytes = 8

const encoder = new TextEncoder()

/** @param path text, or bytes as they came with a name that is no text */
export function encodeListRequest(path: string | Uint8Array): Bytes {
  return joined([opcodes.list], bytesOf(path))
}

export function encodeDownloadRequest(path: string | Uint8Array): Bytes {
  return joined([opcodes.download], bytesOf(path))
}

/** @param size bytes, a whole number up to `Number.MAX_SAFE_INTEGER` */
export function encodeUploadRequest(path: string | Uint8Array, size: number): Bytes {
  return joined([opcodes.upload], encodeSize(size), bytesOf(path))
}

/** Agents ignore it, as they do every opcode that they do not know. */
export function encodeTellReady(): Bytes {
  return joined([opcodes.tellReady])
}

/** Reads a frame sent by a client that has no upload under way. Never throws; the path shares the frame's memory. */
export function readRequest(frame: Uint8Array): ReadRequest {
  const [opcode] = frame
  if (opcode === opcodes.list) return { kind: 'list', path: frame.subarray(1) }
  if (opcode === opcodes.download) return { kind: 'download', path: frame.subarray(1) }
  if (opcode === opcodes.tellReady && frame.length === 1) return { kind: 'tellReady' }
  if (opcode !== opcodes.upload) return { kind: 'nothing' }
  const size = readSize(frame, 1)
  if (size === undefined) return { kind: 'invalid' }
  return { kind: 'upload', size, path: frame.subarray(1 + sizeBytes) }
}

export function encodeList(path: Uint8Array, entries: readonly FileEntry[]): Bytes {
  const frame = new Uint8Array(
    entries.reduce((length, { name }) => length + 2 + name.length, markerBytes + 4 + path.length),
  )
  frame.set(encoder.encode(markers.list))
  new DataView(frame.buffer).setUint32(markerBytes, path.length)
  frame.set(path, markerBytes + 4)
  let at = markerBytes + 4 + path.length
  for (const { name, isDirectory } of entries) {
    frame[at] = isDirectory ? 1 : 0
    frame[at + 1] = name.length
    frame.set(name, at + 2)
    at += 2 + name.length
  }
  return frame
}

export function encodeDownloadHeader(size: number): Bytes {
  return joined(encoder.encode(markers.download), encodeSize(size))
}

/** @param text may hold a path, and so bytes that are no text */
export function encodeError(text: string | Uint8Array): Bytes {
  return joined(encoder.encode(markers.error), bytesOf(text))
}

export function encodeUploaded(): Bytes {
  return joined(encoder.encode(markers.uploaded))
}

export function encodeReady(): Bytes {
  return joined(encoder.encode(markers.ready))
}

/** Reads a frame sent by a server while no data is expected. Never throws; bytes share the frame's memory. */
export function readReply(frame: Uint8Array): FileReply {
  if (startsWith(frame, markers.list)) return readList(frame)
  if (startsWith(frame, markers.error)) {
    return { kind: 'error', text: new TextDecoder().decode(frame.subarray(markerBytes)) }
  }
  if (startsWith(frame, markers.uploaded) && frame.length === markerBytes) return { kind: 'uploaded' }
  if (startsWith(frame, markers.ready) && frame.length === markerBytes) return { kind: 'ready' }
  if (startsWith(frame, markers.download) && frame.length === markerBytes + sizeBytes) {
    const size = readSize(frame, markerBytes)
    if (size !== undefined) return { kind: 'download', size }
  }
  return { kind: 'unknown' }
}

/**
 * Whether a frame that came where data of a download is due is an error instead. Data may begin with the marker of
 * errors too, but it comes in full frames: one of another length, or one that names the path asked for, is an error.
 * @param remaining bytes still to come
 * @param path as it was asked for
 */
export function isDownloadError(frame: Uint8Array, remaining: number, path: string | Uint8Array): boolean {
  if (!startsWith(frame, markers.error)) return false
  if (frame.length !== Math.min(remaining, fileChunkBytes)) return true
  return startsWith(frame, joined(encoder.encode(`${markers.error}read `), bytesOf(path), encoder.encode(': ')))
}

function readList(frame: Uint8Array): FileReply {
  const view = viewOf(frame)
  if (frame.length < markerBytes + 4) return { kind: 'unknown' }
  let at = markerBytes + 4 + view.getUint32(markerBytes)
  if (at > frame.length) return { kind: 'unknown' }
  const path = frame.subarray(markerBytes + 4, at)
  const entries: FileEntry[] = []
  while (at < frame.length) {
    const end = at + 2 + (frame[at + 1] ?? 0)
    if (end > frame.length || end === at + 2) return { kind: 'unknown' }
    entries.push({ name: frame.subarray(at + 2, end), isDirectory: frame[at] === 1 })
    at = end
  }
  return { kind: 'list', path, entries }
}

function encodeSize(size: number): Bytes {
  const bytes = new Uint8Array(sizeBytes)
  new DataView(bytes.buffer).setBigUint64(0, BigInt(size))
  return bytes
}

/** `undefined` when the frame ends before it does, or when it is more than can be counted. */
function readSize(frame: Uint8Array, at: number): number | undefined {
  if (frame.length < at + sizeBytes) return undefined
  const size = viewOf(frame).getBigUint64(at)
  return size <= Number.MAX_SAFE_INTEGER ? Number(size) : undefined
}

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array) => new DataView(buffer, byteOffset, byteLength)

const bytesOf = (text: string | Uint8Array) => (typeof text === 'string' ? encoder.encode(text) : text)

function startsWith(frame: Uint8Array, beginning: string | Uint8Array): boolean {
  return bytesOf(beginning).every((byte, at) => frame[at] === byte)
}

function joined(...parts: ArrayLike<number>[]): Bytes {
  const frame = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    frame.set(part, at)
    at += part.length
  }
  return frame
}
