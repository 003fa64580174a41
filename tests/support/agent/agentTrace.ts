import type { MessageName, Rpc } from './agentMessages.ts'

/** Something that happened in a call, in the form of the recordings (docs/contract/AGENT.md#14-recordings). */
export type TraceEvent = { t_ms: number; call: number; rpc: Rpc } & (
  | { event: 'open'; metadata: Record<string, string>; deadline_in_ms?: number }
  | { event: 'status'; code: number; details: string }
  | { event: 'agent half-close' | 'agent cancel' }
  | { dir: 'up' | 'down'; type: MessageName; bytes: Uint8Array }
)

type Untimed<Event> = Event extends unknown ? Omit<Event, 't_ms'> : never

/** Everything that an agent sent and received, in order. */
export class AgentTrace {
  readonly events: TraceEvent[] = []
  readonly #start = performance.now()
  #calls = 0
  #isOn = true

  /** @returns the number of the call */
  open(rpc: Rpc, metadata: Record<string, string>, deadline?: number): number {
    this.#calls += 1
    this.add({ call: this.#calls, rpc, event: 'open', metadata, deadline_in_ms: deadline })
    return this.#calls
  }

  add(event: Untimed<TraceEvent>): void {
    if (this.#isOn) this.events.push({ t_ms: performance.now() - this.#start, ...event } as TraceEvent)
  }

  /** Keeps nothing more: an agent that runs for long would fill the memory. */
  turnOff(): void {
    this.#isOn = false
    this.events.length = 0
  }
}
