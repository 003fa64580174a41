/**
 * What travels over `/ws/terminal/{session_id}` (docs/contract/CONTRACT.md#101-wsterminalsession_id).
 *
 * From the server: binary frames of raw output, UTF-8 perhaps cut in the middle of a character.
 * To the server: a text frame is typed input as it is; a binary frame begins with a byte that says what it is. Frames
 * with any other first byte are dropped.
 *
 * | first byte | then |
 * |---|---|
 * | 0 | typed input |
 * | 1 | JSON `{"Rows":40,"Cols":120}`: the new size |
 * | 2 | four bytes, an unsigned big-endian number: so many bytes of output were dealt with since the last such frame |
 *
 * The last is ours, and only for servers that announce it by `wheelhouse.terminal_flow` in `GET /setting`.
 */
export type TerminalFrame =
  | { kind: 'input'; bytes: Uint8Array }
  | { kind: 'resize'; rows: number; cols: number }
  | { kind: 'consumed'; bytes: number }

/** What servers take. */
export const terminalLimits = {
  /** Bytes of one message; after a larger one the socket is closed with 1009. */
  message: 512 * 1024 + 64,
  rows: { least: 2, most: 500 },
  cols: { least: 2, most: 1000 },
} as const

const markers = { input: 0, resize: 1, consumed: 2 } as const

/** Typed input that is no text, as mouse positions in an old encoding. Text travels as a text frame. */
export const encodeInput = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => marked(markers.input, bytes)

/** A new size. Outside the limits it will be ignored. */
export function encodeResize({ rows, cols }: { rows: number; cols: number }): Uint8Array<ArrayBuffer> {
  return marked(markers.resize, new TextEncoder().encode(JSON.stringify({ Rows: rows, Cols: cols })))
}

/** @param bytes of output, a whole number below 2^32; 0 only says that such frames will come */
export function encodeConsumed(bytes: number): Uint8Array<ArrayBuffer> {
  const frame = marked(markers.consumed, new Uint8Array(4))
  new DataView(frame.buffer).setUint32(1, bytes)
  return frame
}

/** Reads a binary frame of a client; `undefined` for what is to be dropped. Never throws. */
export function decodeFrame(frame: Uint8Array): TerminalFrame | undefined {
  const rest = frame.subarray(1)
  switch (frame[0]) {
    case markers.input:
      return { kind: 'input', bytes: rest }
    case markers.resize:
      return readSize(rest)
    case markers.consumed:
      if (rest.length !== 4) return undefined
      return { kind: 'consumed', bytes: new DataView(rest.buffer, rest.byteOffset).getUint32(0) }
    default:
      return undefined
  }
}

function readSize(json: Uint8Array): TerminalFrame | undefined {
  const { Rows: rows, Cols: cols } = parsed(json)
  if (!fits(rows, terminalLimits.rows) || !fits(cols, terminalLimits.cols)) return undefined
  return { kind: 'resize', rows, cols }
}

function parsed(json: Uint8Array): { Rows?: unknown; Cols?: unknown } {
  try {
    return (JSON.parse(new TextDecoder().decode(json)) as object | null) ?? {}
  } catch {
    // Bad JSON is ignored, as the contract has it.
    return {}
  }
}

const fits = (value: unknown, { least, most }: { least: number; most: number }): value is number =>
  Number.isInteger(value) && (value as number) >= least && (value as number) <= most

function marked(marker: number, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const frame = new Uint8Array(1 + bytes.length)
  frame[0] = marker
  frame.set(bytes, 1)
  return frame
}
