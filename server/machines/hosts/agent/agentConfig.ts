import { CommandsDisabledError, saysCommandsDisabled } from './agentCommand.ts'
import {
  type AgentConnection,
  AgentGone,
  AgentNotConnected,
  type AgentResult,
  AgentTimeout,
  taskTypes,
} from './agentConnection.ts'
import { isOlderThan } from './agentVersion.ts'

/** Milliseconds in which an agent answers. */
const answerMs = 10_000
/** Older agents do not answer the tasks about settings. */
const firstWithConfig = '1.7.0'

/** The settings of an agent (docs/contract/AGENT.md#91-configuration-m). @param version of the agent */
export function createAgentConfig(connection: AgentConnection, version: () => string) {
  /** @throws Error with a sentence for the operator */
  async function ask(type: number, data?: string): Promise<AgentResult> {
    if (isOlderThan(version(), firstWithConfig)) {
      throw new Error(`agent ${version()} is too old for this: it needs version ${firstWithConfig}`)
    }
    try {
      return await connection.request({ type, data }, { timeoutMs: answerMs })
    } catch (error) {
      if (error instanceof AgentTimeout) throw new Error('the agent did not answer within 10 seconds')
      if (error instanceof AgentNotConnected) throw error
      if (error instanceof AgentGone) throw new Error('the agent disconnected before it answered')
      throw error
    }
  }

  return {
    /** @throws Error with the agent's reason, such as that it is about to reload its settings */
    async read(): Promise<string> {
      const { data, successful } = await ask(taskTypes.reportConfig)
      if (!successful) throw refusal(data)
      return data
    },
    /**
     * Accepted settings make the agent reconnect, which takes 20 seconds.
     * @throws Error with the agent's reason
     */
    async apply(text: string): Promise<{ reconnects: boolean }> {
      const { data, successful } = await ask(taskTypes.applyConfig, text)
      // Agents before 2.0.4 answer so whether they accepted them or not.
      const isSilent = data === '' && isOlderThan(version(), '2.0.4')
      if (!successful && !isSilent) throw refusal(data)
      return { reconnects: true }
    },
    /** See `Host.changeSecret`. */
    async changeSecret(client_secret: string): Promise<string | undefined> {
      const { data, successful } = await ask(taskTypes.changeSecret, JSON.stringify({ client_secret }))
      return successful ? undefined : refusal(data).message
    },
  }
}

function refusal(data: string): Error {
  if (saysCommandsDisabled(data)) return new CommandsDisabledError()
  return new Error(data.slice(0, 500) || 'the agent refused without a reason')
}
