import { errorMessage } from '../../../../src/domain/errors.ts'
import { fieldsIn } from '../../../../src/schemas/define/values.ts'
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
/** Older agents answer new settings the same way whether they accept them or not. */
const firstWithAnswer = '2.0.4'
/** An agent says so instead of its settings while it is about to use new ones. */
const reloading = 'another reload is in process'

export type AgentConfig = ReturnType<typeof createAgentConfig>

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

  /** @throws Error with the agent's reason, such as that it is about to reload its settings */
  async function read(): Promise<string> {
    const { data, successful } = await ask(taskTypes.reportConfig)
    if (!successful) throw refusal(data)
    return data
  }

  /**
   * For agents that answer the same way whatever they do. Its settings are read before and after: it cannot be asked for
   * them while it is about to use others, and then it ignores new ones.
   * @returns whether the agent said that it is about to use them; else it is not known
   */
  async function applyAndAsk(text: string): Promise<{ reconnects: boolean }> {
    await read()
    await ask(taskTypes.applyConfig, text)
    try {
      await read()
    } catch (error) {
      return { reconnects: errorMessage(error) === reloading }
    }
    throw new Error(`the agent did not take the settings; agents before ${firstWithAnswer} give no reason`)
  }

  return {
    read,
    /**
     * Accepted settings make the agent reconnect, which takes 20 seconds.
     * @throws Error with the agent's reason
     */
    async apply(text: string): Promise<{ reconnects: boolean }> {
      if (isOlderThan(version(), firstWithAnswer)) return applyAndAsk(text)
      const { data, successful } = await ask(taskTypes.applyConfig, text)
      if (!successful) throw refusal(data)
      return { reconnects: true }
    },
    /**
     * Whether the agent is known to ignore orders to update: it does so without a word, so its settings are asked for.
     * Those that cannot be read say nothing about it.
     */
    async refusesUpdates(): Promise<boolean> {
      try {
        return fieldsIn(JSON.parse(await read())).disable_force_update === true
      } catch {
        return false
      }
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
