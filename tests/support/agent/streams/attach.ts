import type { AgentCall } from '../agentCalls.ts'

/** A session that the agent has joined, as the parts that serve it see it. */
export interface SessionStream {
  /** @returns false when the server reads too slowly; wait for `onDrain` */
  send(bytes: Uint8Array): boolean
  /** Empty frames, which only keep the session alive, are left out. */
  onFrame(listener: (bytes: Uint8Array) => void): void
  onDrain(listener: () => void): void
  /** When the server has ended the session, or the connection is gone. */
  onEnd(listener: () => void): void
  pause(): void
  resume(): void
  halfClose(): void
  cancel(): void
}

const magic = Buffer.from([0xff, 0x05, 0xff, 0x05])

/** Joins a session (docs/contract/AGENT.md#8-iostream-sessions-m). @param keepaliveMs between the empty frames */
export function attach(call: AgentCall<'IOStream'>, id: string, keepaliveMs: number): SessionStream {
  call.send({ data: Buffer.concat([magic, Buffer.from(id)]) })
  const keepalive = setInterval(() => call.send({}), keepaliveMs)
  void call.status.then(() => clearInterval(keepalive))
  return {
    send: (data) => call.send({ data }),
    onFrame: (listener) => call.onMessage(({ data }) => data && listener(data)),
    onDrain: (listener) => call.onDrain(listener),
    onEnd: (listener) => void call.status.then(listener),
    pause: () => call.pause(),
    resume: () => call.resume(),
    halfClose() {
      clearInterval(keepalive)
      call.halfClose()
    },
    cancel: () => call.cancel(),
  }
}
