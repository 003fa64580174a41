import type { AgentCall } from '../agentCalls.ts'
import type { TaskMessage, TaskResultMessage } from '../agentMessages.ts'
import { mergeSettings, parseJson } from '../agentSettings.ts'
import type { ServingAgent } from '../servingAgent.ts'
import { attach } from '../streams/attach.ts'
import { openFiles } from '../streams/files.ts'
import { openTerminal } from '../streams/terminal.ts'
import { openTransfer } from '../streams/transfer.ts'
import { openTunnel } from '../streams/tunnel.ts'
import { runCommand } from './command.ts'
import { runExec } from './exec.ts'
import { deleteFile, listFolder, readPart, writeWhole } from './fileCalls.ts'
import { probeHttp, probePing, probeTcp } from './probes.ts'

interface Replies {
  send(result: Omit<TaskResultMessage, 'id' | 'type'>): void
  openStream(): AgentCall<'IOStream'>
  /** The result cannot be sent: the agent gives up its connection. */
  onUnencodable(): void
}

const commandsOff = '此 Agent 已禁止命令执行'
const secretLength = 32

/** Does what a task asks for (docs/contract/AGENT.md#6-task-types); an unknown one is left without an answer. */
export async function answerTask(agent: ServingAgent, task: TaskMessage, replies: Replies): Promise<void> {
  const { settings, traits } = agent
  const data = task.data ?? ''
  const type = task.type ?? 0
  if (type >= 14 && !traits.knowsNewTasks) return
  if (type >= 1 && type <= 3 && settings.disable_send_query) {
    return replies.send({ data: 'This server has disabled query sending' })
  }
  switch (type) {
    case 1:
      return replies.send(await probeHttp(data, traits))
    case 2:
      return replies.send(await probePing(data, agent.ping))
    case 3:
      return replies.send(await probeTcp(data))
    case 4: {
      if (settings.disable_command_execute) return replies.send({ data: commandsOff })
      const result = await runCommand(data, agent.folder)
      return result ? replies.send(result) : replies.onUnencodable()
    }
    case 6:
    case 7:
      return replies.send({})
    case 8:
    case 9:
    case 11:
      return openSession(agent, type, data, replies)
    case 12:
      return replies.send(reportSettings(agent))
    case 13:
      return replies.send(applySettings(agent, data))
    case 14:
      return replies.send(changeSecret(agent, data))
    case 15:
      return replies.send(await runExec(data, settings.disable_command_execute))
    case 16:
      return replies.send(await listFolder(data, settings.disable_command_execute))
    case 17:
      return replies.send(await readPart(data, settings.disable_command_execute))
    case 18:
      return replies.send(await writeWhole(data, settings.disable_command_execute))
    case 19:
      return replies.send(await deleteFile(data, settings.disable_command_execute))
    case 20:
      return openTransfer(data, replies.openStream, settings.disable_command_execute)
  }
}

/** Terminal, NAT and files. What is switched off or cannot be read is met with silence. */
function openSession(agent: ServingAgent, type: 8 | 9 | 11, data: string, { openStream }: Replies): void {
  const { settings } = agent
  if (type === 9 ? settings.disable_nat : settings.disable_command_execute) return
  let order: { StreamID?: string; Host?: string }
  try {
    order = JSON.parse(data)
  } catch {
    return
  }
  const stream = attach(openStream(), order.StreamID ?? '', agent.scaled(30_000))
  if (type === 8) openTerminal(stream, agent)
  else if (type === 11) openFiles(stream, agent)
  else openTunnel(stream, order.Host ?? '', agent.traits)
}

function reportSettings({ settings, isReloadPending }: ServingAgent): Omit<TaskResultMessage, 'id' | 'type'> {
  if (settings.disable_command_execute) return { data: commandsOff }
  if (isReloadPending) return { data: 'another reload is in process' }
  return { data: JSON.stringify(settings), successful: true }
}

function applySettings(agent: ServingAgent, data: string): Omit<TaskResultMessage, 'id' | 'type'> {
  const { settings, traits } = agent
  const answer = (result: Omit<TaskResultMessage, 'id' | 'type'>) => (traits.answersConfig ? result : {})
  if (settings.disable_command_execute) return answer({ data: `${commandsOff} (DisableCommandExecute)` })
  try {
    agent.reload(mergeSettings(settings, data))
    return answer({ successful: true })
  } catch (error) {
    return answer({ data: (error as Error).message })
  }
}

function changeSecret(agent: ServingAgent, data: string): Omit<TaskResultMessage, 'id' | 'type'> {
  const { settings } = agent
  if (settings.disable_command_execute) return { data: `${commandsOff} (DisableCommandExecute)` }
  try {
    const { client_secret = '' } = parseJson(data) as { client_secret?: string }
    if (client_secret.length !== secretLength) {
      throw new Error(`rejected client_secret rotation: length=${client_secret.length}, want ${secretLength}`)
    }
    if (!settings.tls || settings.insecure_tls) {
      throw new Error('ServerTransferApply rejected: rotated secret cannot be delivered over plaintext or InsecureTLS')
    }
    agent.reload({ ...settings, client_secret })
    return { successful: true }
  } catch (error) {
    return { data: (error as Error).message }
  }
}
