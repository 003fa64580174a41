/**
 * The binary frames of a file session (docs/contract/CONTRACT.md#102-wsfilesession_id), encoded and decoded for both
 * directions. Integers are big-endian. Paths and names are bytes, because file systems do not guarantee UTF-8 and other
 * names must not change. Sizes are whole numbers of bytes up to `Number.MAX_SAFE_INTEGER`. Decoding never throws, and
 * decoded bytes share the memory of the frame.
 */
type Bytes = Uint8Array<ArrayBuffer>

export type FileRequest =
  | { kind: 'list'; path: Uint8Array }
  | { kind: 'download'; path: Uint8Array }
  /** Followed by frames of raw file data, `size` bytes in total. */
  | { kind: 'upload'; path: Uint8Array; size: number }

/**
 * A decoded request. `ignored`: an empty frame or an unknown opcode; there is no reply. `invalid`: the reply is an error
 * with `invalidHeaderText`. `announceReady`: an extension for servers with `wheelhouse.upload_ready` in `GET /setting`;
 * after it, the reply to each upload header is `ready` or an error, and the client sends the data after `ready`.
 */
export type DecodedFileRequest = FileRequest | { kind: 'ignored' } | { kind: 'invalid' } | { kind: 'announceReady' }

export interface FileEntry {
  /** 1 to 255 bytes, without a slash. */
  name: Uint8Array
  /** False for links, even those to a directory. */
  isDirectory: boolean
}

export type FileReply =
  /** `path` is the requested one, unchanged, or the home directory if the requested one could not be listed. */
  | { kind: 'list'; path: Uint8Array; entries: FileEntry[] }
  /** Followed by frames of raw file data without a marker, `size` bytes in total. */
  | { kind: 'download'; size: number }
  | { kind: 'uploaded' }
  /** The client may send the data of the upload; only after `announceReady`. */
  | { kind: 'ready' }
  | { kind: 'error'; text: string }
  /** None of the above, or incomplete. */
  | { kind: 'unknown' }

/** Bytes of each data frame of a download; the last one may be shorter. */
export const fileChunkBytes = 1_048_576
/** Error text for an upload header that is too short to contain a size. */
export const invalidHeaderText = 'data is invalid'

const opcodes = { list: 0, download: 1, upload: 2, announceReady: 3 }
const markers = { list: 'NZFN', download: 'NZTD', error: 'NERR', uploaded: 'NZUP', ready: 'NZGO' }
const markerBytes = 4
const sizeBytes = 8

const encoder = new TextEncoder()

/** @param path text, or the bytes of a listed name */
export function encodeListRequest(path: string | Uint8Array): Bytes {
  return concat([opcodes.list], bytesOf(path))
}

export function encodeDownloadRequest(path: string | Uint8Array): Bytes {
  return concat([opcodes.download], bytesOf(path))
}

export function encodeUploadRequest(path: string | Uint8Array, size: number): Bytes {
  return concat([opcodes.upload], encodeSize(size), bytesOf(path))
}

/** Real agents ignore this frame, because they do not know the opcode. */
export function encodeAnnounceReady(): Bytes {
  return concat([opcodes.announceReady])
}

/** Decodes a frame from a client, unless an upload is running: then each frame is file data. */
export function decodeFileRequest(frame: Uint8Array): DecodedFileRequest {
  const [opcode] = frame
  if (opcode === opcodes.list) return { kind: 'list', path: frame.subarray(1) }
  if (opcode === opcodes.download) return { kind: 'download', path: frame.subarray(1) }
  if (opcode === opcodes.announceReady && frame.length === 1) return { kind: 'announceReady' }
  if (opcode !== opcodes.upload) return { kind: 'ignored' }
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
  return concat(encoder.encode(markers.download), encodeSize(size))
}

/** @param text text, or bytes if it contains a path that is not valid UTF-8 */
export function encodeError(text: string | Uint8Array): Bytes {
  return concat(encoder.encode(markers.error), bytesOf(text))
}

export function encodeUploaded(): Bytes {
  return concat(encoder.encode(markers.uploaded))
}

export function encodeReady(): Bytes {
  return concat(encoder.encode(markers.ready))
}

/** Decodes a frame from a server, unless data of a download is expected. */
export function decodeFileReply(frame: Uint8Array): FileReply {
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
 * Whether a frame within a download is an error instead of data. Data may also begin with the marker of errors, but its
 * frames have the full length. A frame of another length, or with the requested path in the error text, is an error.
 * @param remaining bytes of the download that have not arrived yet
 * @param path the requested path
 */
export function isDownloadError(frame: Uint8Array, remaining: number, path: string | Uint8Array): boolean {
  if (!startsWith(frame, markers.error)) return false
  if (frame.length !== Math.min(remaining, fileChunkBytes)) return true
  return startsWith(frame, concat(encoder.encode(`${markers.error}read `), bytesOf(path), encoder.encode(': ')))
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

/** `undefined` when the frame is too short, or the number exceeds `Number.MAX_SAFE_INTEGER`. */
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

function concat(...parts: ArrayLike<number>[]): Bytes {
  const frame = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    frame.set(part, at)
    at += part.length
  }
  return frame
}
