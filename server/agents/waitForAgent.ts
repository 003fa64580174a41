import { AgentTimeout } from '../machines/hosts/agent/agentConnection.ts'

interface WaitOptions {
  timeoutMs: number
  /** The text of the AgentTimeout. */
  timeoutMessage: string
  signal: AbortSignal | undefined
}

/**
 * Settles as `answer` does, but waits no longer than the time and the signal allow.
 * @throws AgentTimeout, the reason of the signal, or the error of `answer`
 */
export function waitForAgent<T>(answer: Promise<T>, { timeoutMs, timeoutMessage, signal }: WaitOptions): Promise<T> {
  return new Promise((resolve, reject) => {
    function stop(): void {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    }
    function fail(error: unknown): void {
      stop()
      reject(error)
    }
    const abort = () => fail(signal?.reason)
    const timer = setTimeout(() => fail(new AgentTimeout(timeoutMessage)), timeoutMs)
    signal?.addEventListener('abort', abort)
    answer.then((value) => {
      stop()
      resolve(value)
    }, fail)
  })
}
