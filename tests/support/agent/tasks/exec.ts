import { spawn } from 'node:child_process'
import type { TaskResultMessage } from '../agentMessages.ts'
import { parseJson } from '../agentSettings.ts'

interface ExecOrder {
  cmd?: string
  args?: string[]
  cwd?: string
  env?: Record<string, string>
  stdin?: string
  timeout_seconds?: number
  max_output_bytes?: number
}

const defaults = { timeoutSeconds: 30, mostSeconds: 300, outputBytes: 65_536, mostOutputBytes: 1_048_576 }

/** Task 15 (docs/contract/AGENT.md#93-transfer-exec-fs): a program without a shell. */
export async function runExec(text: string, isOff: boolean): Promise<Omit<TaskResultMessage, 'id' | 'type'>> {
  let order: ExecOrder
  try {
    order = parseJson(text) as ExecOrder
  } catch (error) {
    return { data: `invalid exec request: ${(error as Error).message}` }
  }
  const reply = (fields: object) => ({
    data: JSON.stringify({ exit_code: 0, stdout: '', stderr: '', duration_ms: 0, ...fields }),
    successful: true,
  })
  if (isOff) return reply({ error: 'agent disabled command execution' })
  if (!order.cmd) return reply({ error: 'cmd required' })
  return reply(await run(order.cmd, order))
}

function run(cmd: string, order: ExecOrder): Promise<object> {
  const start = performance.now()
  const most = Math.min(order.max_output_bytes ?? defaults.outputBytes, defaults.mostOutputBytes)
  return new Promise((resolve) => {
    const env = { ...process.env, ...order.env }
    const child = spawn(cmd, order.args ?? [], { cwd: order.cwd, env, detached: true })
    const outputs = { stdout: collect(child.stdout, most), stderr: collect(child.stderr, most) }
    let timedOut = false
    const seconds = Math.min(order.timeout_seconds || defaults.timeoutSeconds, defaults.mostSeconds)
    const limit = setTimeout(() => {
      timedOut = true
      if (child.pid) process.kill(-child.pid, 'SIGKILL')
    }, seconds * 1000)
    child.stdin.on('error', () => {})
    child.stdin.end(order.stdin ?? '')
    child.on('error', () => {
      clearTimeout(limit)
      resolve({ exit_code: -1, error: 'executable file not found' })
    })
    child.on('close', (code) => {
      clearTimeout(limit)
      const [stdout, stderr] = [outputs.stdout(), outputs.stderr()]
      resolve({
        exit_code: timedOut ? -1 : (code ?? -1),
        stdout: stdout.text,
        stderr: stderr.text,
        duration_ms: Math.floor(performance.now() - start),
        ...(stdout.isTruncated && { stdout_truncated: true }),
        ...(stderr.isTruncated && { stderr_truncated: true }),
        ...(timedOut && { timed_out: true }),
      })
    })
  })
}

function collect(source: NodeJS.ReadableStream, most: number): () => { text: string; isTruncated: boolean } {
  let output = Buffer.alloc(0)
  let isTruncated = false
  source.on('data', (bytes: Buffer) => {
    if (output.length + bytes.length > most) isTruncated = true
    output = Buffer.concat([output, bytes.subarray(0, most - output.length)])
  })
  return () => ({ text: output.toString(), isTruncated })
}
