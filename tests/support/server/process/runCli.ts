import { spawn } from 'node:child_process'
import { spawn as spawnAtTerminal } from '@lydell/node-pty'
import { root } from '../../root.ts'
import { storeSettings } from './storeSettings.ts'

export interface Finished {
  code: number | null
  /** Standard output. */
  stdout: string
  /** Standard error. */
  stderr: string
}

/** Runs `wheelhouse <args>` from the sources to its end, with these settings and no others. */
export async function runCli(args: readonly string[], settings: Record<string, string> = {}): Promise<Finished> {
  return runProgram(process.execPath, ['server/cli.ts', ...args], {
    cwd: root,
    settings: await storeSettings(settings),
  })
}

/**
 * Runs `wheelhouse <args>` at a terminal, and answers its question.
 * @param question what it prints before it waits for the answer
 */
export async function answerAtTerminal(
  args: readonly string[],
  settings: Record<string, string>,
  question: RegExp,
  answer: string,
): Promise<{ code: number; output: string }> {
  const terminal = spawnAtTerminal(process.execPath, ['server/cli.ts', ...args], {
    cwd: root,
    cols: 200,
    rows: 40,
    env: environmentWith(await storeSettings(settings)),
  })
  let output = ''
  let isAnswered = false
  terminal.onData((text) => {
    output += text
    if (isAnswered || !question.test(output)) return
    isAnswered = true
    terminal.write(`${answer}\r`)
  })
  const code = await new Promise<number>((resolve) => terminal.onExit(({ exitCode }) => resolve(exitCode)))
  return { code, output }
}

/** The environment without what the tests themselves run under. */
function environmentWith(settings: Record<string, string>): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = { ...process.env, ...settings }
  for (const name of ['NODE_OPTIONS', 'VITEST', 'NODE_ENV', 'NODE_PATH']) delete env[name]
  return env
}

/** Runs a program to its end, in an environment without what the tests themselves run under. */
export async function runProgram(
  program: string,
  args: readonly string[],
  { cwd, settings = {} }: { cwd: string; settings?: Record<string, string> },
): Promise<Finished> {
  const child = spawn(program, args, { cwd, env: environmentWith(settings), stdio: ['ignore', 'pipe', 'pipe'] })
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  return { code, stdout, stderr }
}
