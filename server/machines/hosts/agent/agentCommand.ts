import { errorMessage } from '../../../../src/domain/errors.ts'
import { endOfOutput } from '../endOfOutput.ts'
import type { RunOptions, RunResult } from '../host.ts'
import { type AgentConnection, AgentGone, AgentNotConnected, AgentTimeout, taskTypes } from './agentConnection.ts'

/** Agents end a command after two hours; it cannot be ended earlier. */
const answerMs = 2 * 3_600_000 + 60_000

/** The agent's setting `disable_command_execute` is on, which forbids to read and change its settings too. */
export class CommandsDisabledError extends Error {
  constructor() {
    super('commands are switched off on this machine (disable_command_execute)')
  }
}

/** Whether this is what agents answer then; with ` (DisableCommandExecute)` at its end to new settings. */
export const saysCommandsDisabled = (data: string) => data.startsWith('此 Agent 已禁止命令执行')

/** What agents write before the output of a command that took longer than two hours. */
const timeoutPrefix = '任务执行超时\n'

const lostText =
  'The agent disconnected before it sent a result. Agents do so when the output of a command is not valid UTF-8 text ' +
  'or is larger than 16 MiB. The command may have run to its end, or may still run.'

/**
 * Has an agent run a command (docs/contract/AGENT.md#7-probes-and-commands-m). Only standard output comes back. The
 * command cannot be ended from here, so `timeoutMs` is not used; the signal only ends the wait.
 */
export async function runByAgent(
  connection: AgentConnection,
  command: string,
  { maxOutputBytes, signal }: RunOptions,
): Promise<RunResult> {
  try {
    const result = await connection.request({ type: taskTypes.command, data: command }, { timeoutMs: answerMs, signal })
    return toRunResult(result, maxOutputBytes)
  } catch (error) {
    if (signal?.aborted) return ended('aborted', '')
    if (error instanceof AgentTimeout) return ended('timeout', '')
    if (!(error instanceof AgentGone) || error instanceof AgentNotConnected) return ended('failed', errorMessage(error))
    return ended('lost', lostText)
  }
}

function toRunResult({ data, successful }: { data: string; successful: boolean }, maxOutputBytes: number): RunResult {
  if (successful) return { exitCode: 0, ended: 'exited', ...endOf(data, maxOutputBytes) }
  if (saysCommandsDisabled(data)) return ended('failed', new CommandsDisabledError().message)
  if (data.startsWith(timeoutPrefix)) {
    return { ...ended('timeout', ''), ...endOf(data.slice(timeoutPrefix.length), maxOutputBytes) }
  }
  // After the output, in a line of its own.
  const [line = '', status, signal] = /\n(?:exit status (\d+)|signal: (\w+).*)$/.exec(data.slice(-100)) ?? []
  const output = endOf(data.slice(0, data.length - line.length), maxOutputBytes)
  if (status !== undefined) return { exitCode: Number(status), ended: 'exited', ...output }
  return { exitCode: null, ended: signal === undefined ? 'failed' : 'exited', ...output }
}

const ended = (how: RunResult['ended'], output: string): RunResult => ({
  exitCode: null,
  ended: how,
  output,
  truncated: false,
})

/** Of an output as text. */
const endOf = (output: string, maxBytes: number) => endOfOutput(Buffer.from(output), maxBytes)
