import { TestAgent } from '../../tests/support/agent/testAgent.ts'
import { randomlyFrom } from '../seed/random.ts'
import { sendBroken } from './brokenAgent.ts'

export interface AgentFuzzOptions {
  /** Of a server on 127.0.0.1. */
  port: number
  /** A good secret. */
  secret: string
  /** How many connections send something broken. */
  count: number
  seed: number
  /** Connections at a time. */
  atOnce?: number
  onProgress?: (sent: number) => void
}

export interface AgentFuzzReport {
  /** How often each kind was sent. */
  kinds: Record<string, number>
  /** What was wrong. */
  faults: string[]
}

/**
 * Broken ones that are through while a healthy agent waits for a receipt; how long that takes on a busy machine says
 * nothing. The other limit, in milliseconds, is for a server that serves nobody.
 */
const healthyAtMost = { broken: 1500, ms: 60_000 }

/** Sends broken messages, as broken agents do; a healthy agent beside them must not notice. */
export async function fuzzAgents(options: AgentFuzzOptions): Promise<AgentFuzzReport> {
  const { port, secret, count, seed, atOnce = 16, onProgress } = options
  const random = randomlyFrom(seed)
  const report: AgentFuzzReport = { kinds: {}, faults: [] }
  const healthy = new TestAgent({ server: `127.0.0.1:${port}`, secret, timeScale: 0.1, traces: false })
  let sent = 0
  let last = { receipts: -1, at: performance.now(), sent }
  const watch = setInterval(() => {
    if (healthy.receipts !== last.receipts) last = { receipts: healthy.receipts, at: performance.now(), sent }
    const [waited, others] = [performance.now() - last.at, sent - last.sent]
    if (waited > healthyAtMost.ms || others > healthyAtMost.broken)
      report.faults.push(
        `A healthy agent waits for a receipt since ${Math.round(waited)} ms, while ${others} others came.`,
      )
  }, 500)
  healthy.start()
  async function work(): Promise<void> {
    while (sent < count && report.faults.length === 0) {
      sent += 1
      const number = sent
      const kind = await sendBroken({ port, secret, random })
      report.kinds[kind] = (report.kinds[kind] ?? 0) + 1
      onProgress?.(number)
    }
  }
  try {
    await Promise.all(Array.from({ length: atOnce }, work))
  } finally {
    clearInterval(watch)
    await healthy.stop()
  }
  if (healthy.connections !== 1) {
    const why = JSON.stringify(healthy.lastStatus)
    report.faults.push(`A healthy agent had to connect ${healthy.connections} times; the server said ${why}.`)
  }
  return report
}
