import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { recordingsFolder } from './recording.ts'

/** One message of a recorded socket, `in` from the server. Of long ones only the length and the beginning is kept. */
export interface RecordedMessage {
  dir: 'in' | 'out'
  opcode: 'open' | 'close' | 'ping' | 'text' | 'binary'
  length?: number
  hex?: string
  hex_head?: string
  text?: string
  /** Of a close. */
  code?: number
  t_ms: number
}

/** @param file a name in `docs/contract/recordings`, without ending */
export function readSocketRecording(file: string): RecordedMessage[] {
  return JSON.parse(readFileSync(join(recordingsFolder, `${file}.json`), 'utf8'))
}

/** A socket that was refused, as a plain reply. */
export interface Refusal {
  status: number
  type: string | undefined
  text: string
}

/** @param file a name in `docs/contract/recordings`, without ending */
export function readRefusal(file: string): Refusal {
  const [message] = readSocketRecording(file) as unknown as { status: number; headers: Headers; text: string }[]
  if (!message) throw new Error(`${file} holds nothing`)
  return { status: message.status, type: message.headers['content-type'], text: message.text }
}

type Headers = Record<string, string>
