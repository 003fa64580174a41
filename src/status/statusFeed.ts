import { createEmitter } from '../events/emitter.ts'
import type { PublicStatus } from '../schemas/status/publicStatus.ts'

/** The status as it changes. */
export interface StatusFeed {
  current(): PublicStatus
  /** Whether what is shown may be old. */
  isStale(): boolean
  subscribe(listener: () => void): () => void
  start(): void
}

const [firstRetryMs, longestRetryMs] = [1_000, 30_000]
/** Milliseconds between two polls while there is no socket. */
const pollMs = 10_000
/** Milliseconds without a frame after which a socket counts as dead. */
const silenceMs = 30_000

/**
 * Follows the status over a WebSocket, and polls while there is none: some proxies do not pass WebSockets.
 */
export function createStatusFeed(first: PublicStatus): StatusFeed {
  const changes = createEmitter()
  let status = first
  let isStale = false
  let retryMs = firstRetryMs
  let pollTimer: number | undefined
  let silenceTimer: number | undefined

  function receive(change: Partial<PublicStatus>): void {
    status = { ...status, ...change }
    isStale = false
    changes.emit()
  }

  function connect(): void {
    const address = new URL('/api/v1/ws/status', window.location.href)
    address.protocol = address.protocol.replace('http', 'ws')
    const socket = new WebSocket(address)
    const listenForSilence = () => {
      clearTimeout(silenceTimer)
      silenceTimer = window.setTimeout(() => socket.close(), silenceMs)
    }
    listenForSilence()
    socket.onmessage = ({ data }) => {
      listenForSilence()
      retryMs = firstRetryMs
      stopPolling()
      receive(JSON.parse(data as string) as Partial<PublicStatus>)
    }
    socket.onclose = () => {
      clearTimeout(silenceTimer)
      startPolling()
      // Jitter, so that visitors do not all reconnect at once when the server is back.
      setTimeout(connect, retryMs * (0.5 + Math.random()))
      retryMs = Math.min(retryMs * 2, longestRetryMs)
    }
  }

  async function poll(): Promise<void> {
    try {
      const reply = await fetch('/api/v1/wheelhouse/status')
      const { data } = (await reply.json()) as { data?: PublicStatus }
      if (!data) throw new Error('The reply has no status.')
      receive(data)
    } catch {
      isStale = true
      changes.emit()
    }
  }

  function startPolling(): void {
    pollTimer ??= window.setInterval(() => void poll(), pollMs)
    void poll()
  }

  function stopPolling(): void {
    clearInterval(pollTimer)
    pollTimer = undefined
  }

  return {
    current: () => status,
    isStale: () => isStale,
    subscribe: changes.subscribe,
    start: connect,
  }
}
