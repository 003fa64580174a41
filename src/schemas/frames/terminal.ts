import { fieldsIn, type Values } from '../define/values.ts'

/**
 * The frames of a terminal session, `/ws/terminal/{session_id}` (docs/contract/CONTRACT.md#101-wsterminalsession_id).
 *
 * From the server: binary frames of raw output, usually UTF-8; a character may be split between two frames.
 * To the server: text frames of typed input, and binary frames, whose first byte is their kind. Frames of another kind
 * are ignored.
 *
 * | first byte | then |
 * |---|---|
 * | 0 | typed input |
 * | 1 | JSON `{"Rows":40,"Cols":120}`: the new size |
 * | 2 | unsigned big-endian number of 4 bytes: the bytes of output processed since the last such frame |
 *
 * Kind 2 is an extension for servers with `wheelhouse.terminal_flow` in `GET /setting`.
 *
 * Another is for servers with `wheelhouse.terminal_hold`: a client whose address of the socket says `?offset=0` may come
 * back to the shell after its connection was lost, with the number of bytes of output that it has. It then gets one text
 * frame, `PastOutputWord` as JSON, and after it the output from there on. Close code 1000, from either end, says that
 * the shell has ended, or is to end; 4005 that another window shows it now.
 *
 * A client whose address says `?state=1` gets further text frames, `{"state": TerminalState}`: one when it has attached,
 * and one after each change.
 */
export type TerminalFrame =
  | { kind: 'input'; bytes: Uint8Array }
  | { kind: 'resize'; rows: number; cols: number }
  | { kind: 'consumed'; bytes: number }

/** What the server says before it sends output again: offsets in bytes since the beginning of the shell. */
export interface PastOutputWord {
  /** Where the output begins that follows: later than was asked for where the server has dropped some. */
  from: number
  /** Where the output ends that was there when the socket opened. */
  to: number
  /** Escape sequences that set what the dropped output has set. */
  modes: string
}

/** The close code by which either end says that the shell has ended, or is to end. */
export const shellEndedCode = 1000
/** The close code by which the server says that another window of the person shows the terminal now. */
export const takenOverCode = 4005
/** The close code by which the server says that the terminal is not shared with this person any more. */
export const shareEndedCode = 4006

/** How a terminal is shared: others may watch it, or type as well. */
export const shareModes = ['watch', 'type'] as const
export type ShareMode = (typeof shareModes)[number]

const isShareMode = (value: unknown): value is ShareMode => shareModes.some((mode) => mode === value)

/** Somebody who sees a terminal now. */
export interface TerminalPerson {
  name: string
  /** Who has it in a window of their own, or joined by the link. */
  role: 'owner' | 'guest'
  /** Whether it was this person who typed last. */
  typed: boolean
}

/** What everybody in a terminal is told of it. */
export interface TerminalState {
  /** The size of the screen, in characters. */
  rows: number
  cols: number
  people: TerminalPerson[]
  /** How it is shared; absent while it is not. */
  share?: ShareMode
  /**
   * `on`: what it prints is recorded, and the owner may end that; `always`: recorded because of the settings; `off`: the
   * owner may begin; `ended`: the recording has ended before its time, see the audit log; `no`: the settings allow none.
   */
  recording: RecordingState
}

const recordingStates = ['on', 'always', 'off', 'ended', 'no'] as const
export type RecordingState = (typeof recordingStates)[number]

export const encodeTerminalState = (state: TerminalState): string => JSON.stringify({ state })

/** Reads the text frame of a server; `undefined` if it is something else. */
export function decodeTerminalState(text: string): TerminalState | undefined {
  const { rows, cols, people, share, recording } = fieldsIn(parseJson(text).state)
  if (!isWithin(rows, terminalLimits.rows) || !isWithin(cols, terminalLimits.cols)) return undefined
  const state = recordingStates.find((one) => one === recording)
  if (!Array.isArray(people) || !state) return undefined
  return { rows, cols, people: people.flatMap(readPerson), recording: state, ...(isShareMode(share) && { share }) }
}

function readPerson(value: unknown): TerminalPerson[] {
  const { name, role, typed } = fieldsIn(value)
  if (typeof name !== 'string') return []
  return [{ name, role: role === 'owner' ? 'owner' : 'guest', typed: typed === true }]
}

export const encodePast = (word: PastOutputWord): string => JSON.stringify(word)

/** Reads the text frame of a server; `undefined` if it is something else. */
export function decodePast(text: string): PastOutputWord | undefined {
  const { from, to, modes } = parseJson(text)
  if (!isOffset(from) || !isOffset(to) || typeof modes !== 'string') return undefined
  return { from, to, modes }
}

const isOffset = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0

/** Limits of servers; sizes of terminals are in characters. */
export const terminalLimits = {
  /** Maximum bytes of a message; a larger one closes the socket with code 1009. */
  message: 512 * 1024 + 64,
  rows: { min: 2, max: 500 },
  cols: { min: 2, max: 1000 },
} as const

const markers = { input: 0, resize: 1, consumed: 2 } as const

/** Input that is not text, such as mouse positions in an old encoding. Text is sent as a text frame instead. */
export const encodeInput = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => withMarker(markers.input, bytes)

/** The new size of the terminal, in characters. Servers ignore sizes outside `terminalLimits`. */
export function encodeResize({ rows, cols }: { rows: number; cols: number }): Uint8Array<ArrayBuffer> {
  return withMarker(markers.resize, new TextEncoder().encode(JSON.stringify({ Rows: rows, Cols: cols })))
}

/**
 * Acknowledges output.
 * @param bytes a whole number below 2^32; 0 only announces that acknowledgements will follow
 */
export function encodeConsumed(bytes: number): Uint8Array<ArrayBuffer> {
  const frame = withMarker(markers.consumed, new Uint8Array(4))
  new DataView(frame.buffer).setUint32(1, bytes)
  return frame
}

/** Decodes a binary frame from a client; `undefined` if it must be ignored. Never throws. */
export function decodeTerminalFrame(frame: Uint8Array): TerminalFrame | undefined {
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
  const { Rows: rows, Cols: cols } = parseJson(new TextDecoder().decode(json))
  if (!isWithin(rows, terminalLimits.rows) || !isWithin(cols, terminalLimits.cols)) return undefined
  return { kind: 'resize', rows, cols }
}

function parseJson(json: string): Values {
  try {
    return fieldsIn(JSON.parse(json))
  } catch {
    // Invalid JSON is ignored.
    return {}
  }
}

const isWithin = (value: unknown, { min, max }: { min: number; max: number }): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max

function withMarker(marker: number, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const frame = new Uint8Array(1 + bytes.length)
  frame[0] = marker
  frame.set(bytes, 1)
  return frame
}
