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
export async function waitForAgent<T>(
  answer: Promise<T>,
  { timeoutMs, timeoutMessage, signal }: WaitOptions,
): Promise<T> {
  const interruption = Promise.withResolvers<never>()
  const abort = () => interruption.reject(signal?.reason)
  const timer = setTimeout(() => interruption.reject(new AgentTimeout(timeoutMessage)), timeoutMs)
  signal?.addEventListener('abort', abort)
  try {
    return await Promise.race([answer, interruption.promise])
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
}
