import type { Check, ProbeOptions, ProbeResult } from '../probe.ts'
import { type AgentConnection, AgentGone, AgentTimeout, taskTypes } from './agentConnection.ts'

/**
 * For each kind of check the task, and the milliseconds after which an agent that is still there has answered: its own
 * limits (docs/contract/AGENT.md#7-probes-and-commands-m) and five seconds for the way.
 */
const probes = {
  http: { type: taskTypes.probeHttp, answerMs: 35_000 },
  icmp: { type: taskTypes.probeIcmp, answerMs: 25_000 },
  tcp: { type: taskTypes.probeTcp, answerMs: 15_000 },
} as const satisfies Record<Check['type'], { type: number; answerMs: number }>

/** The text of agents whose setting `disable_send_query` is on. */
const probesDisabled = 'This server has disabled query sending'
/** What agents write before the status of a page. */
const statusPrefix = /^\n应用错误: /
/** Characters. */
const maxProblemLength = 500

/**
 * Has an agent check a service. Agents have limits of their own, so the answer may come later than `timeoutMs`; what took
 * longer has failed all the same. They may check private targets, because those are in the network of whoever owns the
 * machine. The signal is not used: nothing ends a check, and thousands of listeners on one signal would be slow.
 * @returns `undefined` when the agent has gone, or is frozen, before it answered
 */
export async function probeByAgent(
  connection: AgentConnection,
  { type, target }: Check,
  { timeoutMs }: ProbeOptions,
): Promise<ProbeResult | undefined> {
  const probe = probes[type]
  try {
    const { data, delay, successful } = await connection.request(
      { type: probe.type, data: target.trim() },
      { timeoutMs: probe.answerMs },
    )
    // The delay of a ping is the mean of several.
    if (successful && delay <= timeoutMs) return { outcome: 'up', delay }
    if (successful) return { outcome: 'down', problem: `answered after ${(delay / 1000).toFixed(1)} s only` }
    const problem = data.replace(statusPrefix, '').trim().slice(0, maxProblemLength)
    return problem === probesDisabled
      ? { outcome: 'not permitted', problem: 'checks are switched off on this machine (disable_send_query)' }
      : { outcome: 'down', problem }
  } catch (error) {
    if (error instanceof AgentGone || error instanceof AgentTimeout) return undefined
    throw error
  }
}
