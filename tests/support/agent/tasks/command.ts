import { isUtf8 } from 'node:buffer'
import { spawn } from 'node:child_process'
import type { TaskResultMessage } from '../agentMessages.ts'

/**
 * Runs a command as agents do (docs/contract/AGENT.md#7-probes-and-commands-m).
 * @returns nothing when the output is not UTF-8: an agent cannot send such a result
 */
export function runCommand(
  command: string,
  folder: string,
): Promise<Omit<TaskResultMessage, 'id' | 'type'> | undefined> {
  const start = performance.now()
  return new Promise((resolve) => {
    const child = spawn('sh', ['-c', command], { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] })
    const output: Buffer[] = []
    child.stdout.on('data', (bytes: Buffer) => output.push(bytes))
    child.on('close', (code, signal) => {
      const delay = (performance.now() - start) / 1000
      const bytes = Buffer.concat(output)
      if (!isUtf8(bytes)) return resolve(undefined)
      const data = bytes.toString()
      if (code === 0) return resolve({ delay, data, successful: true })
      const ending = signal ? `signal: ${signalNames[signal] ?? signal}` : `exit status ${code}`
      resolve({ delay, data: `${data}\n${ending}` })
    })
  })
}

const signalNames: Partial<Record<NodeJS.Signals, string>> = {
  SIGKILL: 'killed',
  SIGTERM: 'terminated',
  SIGINT: 'interrupt',
  SIGHUP: 'hangup',
}
