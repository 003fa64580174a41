import { isIP } from 'node:net'
import { Duplex } from 'node:stream'
import { addressScope } from '../../../outbound/addressScope.ts'
import { ConnectError, HostUnavailableError, parseTarget, targetNotAllowed } from '../host.ts'
import { type AgentStream, taskTypes } from './agentConnection.ts'
import type { AgentStreams } from './agentStreams.ts'
import { createReadErrors } from './readErrors.ts'

/** Texts of the agent's last frame: the service closed its connection, or broke it. */
const closedText = 'EOF'
const lastFrame = /^(EOF|read tcp \S+->\S+: .+)$/
/** Milliseconds without a byte from the service after which a connection that the visitor has half-closed ends. */
const halfClosedMs = 1000
/** Bytes of one frame to the agent. */
const maxFrameBytes = 256 * 1024

/**
 * Connects to a TCP service in the agent's network.
 * @param target `host:port`
 * @throws ConnectError, or the reason of `signal`
 */
export async function connectThroughAgent(streams: AgentStreams, target: string, signal: AbortSignal): Promise<Duplex> {
  const { host } = parseTarget(target)
  // Names are resolved by the agent, whose network has addresses of its own for them.
  if (isIP(host) && addressScope(host) === 'forbidden') throw new ConnectError(targetNotAllowed)
  try {
    return new AgentTunnel(await streams.open(taskTypes.nat, { Host: target }, signal))
  } catch (error) {
    if (error instanceof HostUnavailableError) throw new ConnectError(reasonTexts[error.reason], { cause: error })
    throw error
  }
}

const reasonTexts = {
  disabled: 'The server behind this name does not forward.',
  silent: 'The server behind this name does not answer. Forwarding may be disabled in the settings of its agent.',
  busy: 'Too many visitors are at the service behind this name. Try again in a moment.',
  offline: 'The server behind this name is not connected. Try again later.',
} as const

/**
 * The bytes of a connection that the agent has made. Its stream has no half-close: when the service has closed, nothing
 * can be written any more; when the visitor has, the service is not told, so that the connection ends a moment later.
 */
class AgentTunnel extends Duplex {
  readonly #stream: AgentStream
  #hasReceived = false
  #onDrain = () => {}
  #halfClosed: NodeJS.Timeout | undefined

  constructor(stream: AgentStream) {
    super({ allowHalfOpen: false })
    this.#stream = stream
    const received = createReadErrors(lastFrame, (bytes) => {
      if (!this.destroyed && !this.push(bytes)) stream.pause()
    })
    stream.onEnd(() => {
      this.#onDrain()
      const error = received.end()
      if (error !== undefined && error !== closedText) this.destroy(new Error(error))
      // The agent ends it without a word when it cannot connect.
      else if (!this.#hasReceived) this.destroy(new ConnectError('The service behind this name cannot be reached.'))
      else if (!this.destroyed) this.push(null)
    })
    stream.onDrain(() => this.#onDrain())
    stream.onFrame((bytes) => {
      this.#hasReceived = true
      this.#halfClosed?.refresh()
      received.add(bytes)
    })
  }

  override _read(): void {
    this.#stream.resume()
  }

  override _write(chunk: Uint8Array, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    let mayGoOn = true
    for (let start = 0; start < chunk.length; start += maxFrameBytes) {
      mayGoOn = this.#stream.write(chunk.subarray(start, start + maxFrameBytes))
    }
    if (mayGoOn) {
      done()
      return
    }
    this.#onDrain = () => {
      this.#onDrain = () => {}
      done()
    }
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#halfClosed = setTimeout(() => this.#stream.end(), halfClosedMs)
    done()
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    clearTimeout(this.#halfClosed)
    this.#stream.end()
    done(error)
  }
}
