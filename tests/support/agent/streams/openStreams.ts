import type { AgentCall } from '../agentCalls.ts'

/** The sessions of a connection, so that none outlives it. */
export class OpenStreams {
  readonly #open = new Set<AgentCall<'IOStream'>>()

  add(stream: AgentCall<'IOStream'>): AgentCall<'IOStream'> {
    this.#open.add(stream)
    void stream.status.then(() => this.#open.delete(stream))
    return stream
  }

  endAll(): void {
    for (const stream of this.#open) stream.cancel()
  }
}
