import { fieldsIn } from '../../../../src/schemas/define/values.ts'
import { HostUnavailableError } from '../host.ts'
import { CommandsDisabledError } from './agentCommand.ts'
import { type AgentConnection, AgentGone, type AgentStream, AgentTimeout, taskTypes } from './agentConnection.ts'

type StreamTaskType = Parameters<AgentConnection['openStream']>[0]

/** The streams of one agent: terminals, files and forwarded connections (docs/contract/AGENT.md#8-iostream-sessions-m). */
export interface AgentStreams {
  /**
   * Asks the agent to open a stream. A forwarded connection waits while too many are open.
   * @param data what the task needs besides the id of the stream
   * @throws HostUnavailableError, also where `signal` says that the time is over; else the reason of `signal`
   */
  open(type: StreamTaskType, data: object, signal?: AbortSignal): Promise<AgentStream>
}

interface Options {
  connection: Pick<AgentConnection, 'openStream'>
  /** The agent's settings as JSON text. */
  readConfig: () => Promise<string>
  limits?: Partial<typeof streamLimits>
  /** Milliseconds without a stream after which the agent's settings are asked whether streams are switched off. */
  askAfterMs?: number
}

/**
 * Open streams of one machine. As with real servers there are at most 40; visitors of forwarded names leave some for
 * people who need a terminal to see why so many visitors come.
 */
export const streamLimits = { total: 40, forwarded: 32 }

/** Whether the time of whoever asks is over. */
const isTimeout = (error: unknown) => error instanceof DOMException && error.name === 'TimeoutError'

export function createAgentStreams({ connection, readConfig, limits, askAfterMs = 1000 }: Options): AgentStreams {
  const { total, forwarded } = { ...streamLimits, ...limits }
  const open = { all: 0, forwarded: 0 }
  const waiting = new Set<() => void>()

  const isFull = (type: StreamTaskType) => open.all >= total || (type === taskTypes.nat && open.forwarded >= forwarded)

  /** @returns a function that gives the place back; it has no effect when called again */
  function takePlace(type: StreamTaskType): () => void {
    const counted = (step: 1 | -1) => {
      open.all += step
      if (type === taskTypes.nat) open.forwarded += step
    }
    let isTaken = true
    counted(1)
    return () => {
      if (!isTaken) return
      isTaken = false
      counted(-1)
      const [next] = waiting
      next?.()
    }
  }

  function untilPlaceIsFree(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = () => {
        waiting.delete(wake)
        signal?.removeEventListener('abort', abort)
      }
      const wake = () => {
        stop()
        resolve()
      }
      const abort = () => {
        stop()
        const error = signal?.reason
        reject(isTimeout(error) ? new HostUnavailableError('busy', 'no stream has ended in time') : error)
      }
      waiting.add(wake)
      signal?.addEventListener('abort', abort)
    })
  }

  /** Agents do not reply to a task that their settings forbid: they only stay silent. */
  async function isDisabled(type: StreamTaskType): Promise<boolean> {
    try {
      const config = fieldsIn(JSON.parse(await readConfig()))
      return config[type === taskTypes.nat ? 'disable_nat' : 'disable_command_execute'] === true
    } catch (error) {
      // The same setting forbids to read the settings.
      return type !== taskTypes.nat && error instanceof CommandsDisabledError
    }
  }

  async function attach(type: StreamTaskType, data: object, signal?: AbortSignal): Promise<AgentStream> {
    const disabled = new AbortController()
    const timer = setTimeout(async () => {
      if (await isDisabled(type)) disabled.abort(new HostUnavailableError('disabled', 'the agent has this disabled'))
    }, askAfterMs)
    try {
      return await connection.openStream(type, data, AbortSignal.any([disabled.signal, ...(signal ? [signal] : [])]))
    } catch (error) {
      if (error instanceof AgentTimeout || isTimeout(error))
        throw new HostUnavailableError('silent', 'the agent opened no stream in time')
      if (error instanceof AgentGone) throw new HostUnavailableError('offline', 'the agent is not connected')
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    async open(type, data, signal) {
      while (isFull(type)) {
        if (type !== taskTypes.nat) throw new HostUnavailableError('busy', 'too many streams are open')
        signal?.throwIfAborted()
        await untilPlaceIsFree(signal)
      }
      const release = takePlace(type)
      try {
        const stream = await attach(type, data, signal)
        stream.onEnd(release)
        return stream
      } catch (error) {
        release()
        throw error
      }
    },
  }
}
