import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../root.ts'
import type { MessageName, Rpc } from './agentMessages.ts'

/** An event of a recorded scene (docs/contract/AGENT.md#14-recordings). */
export interface RecordedEvent {
  t_ms: number
  call: number
  rpc: Rpc
  event?: 'open' | 'status' | 'agent half-close' | 'agent cancel'
  metadata?: Record<string, string>
  deadline_in_ms?: number
  code?: number
  details?: string
  dir?: 'up' | 'down'
  type?: MessageName
  msg?: Record<string, unknown>
  /** Base64 of the message. */
  raw?: string
  raw_length?: number
  /** Bytes of the frame of a session, and what it holds. */
  length?: number
  hex?: string
  hex_head?: string
}

export interface Scene {
  name: string
  agent: string
  events: RecordedEvent[]
}

const folder = join(root, 'docs/contract/agent-recordings')

export const sceneNames = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .map((name) => name.slice(0, -'.json'.length))

export const readScene = (name: string): Scene => JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'))
