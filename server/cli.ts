#!/usr/bin/env node
import packageJson from '../package.json' with { type: 'json' }
import { isLaunched } from '../scripts/bootstrap/endWithParent.mjs'
import { argumentProblem, commandUsage, usageFailure, usageText } from '../scripts/bootstrap/usage.mjs'
import { consoleLog as log } from './log.ts'

/** The command `wheelhouse`: serves the console, or runs the command that the first argument names. */
async function main(args: readonly string[]): Promise<void> {
  const [name, ...rest] = args
  const problem = argumentProblem(args, 'wheelhouse')
  if (problem) return fail(problem, usageFailure(name))
  if (name === '--help' || name === '-h') return log.info(help)
  const ofCommand = commandUsage(args, 'wheelhouse')
  if (ofCommand) return log.info(ofCommand.trimEnd())
  if (name === '--version' || name === '-v') return log.info(packageJson.version)
  if (isNodeTooOld()) return fail(`Wheelhouse needs Node ${minimumNode.join('.')} or newer: see https://nodejs.org`, 1)
  // Only now: an older Node could not import these files.
  if (name === undefined) await serve()
  else {
    // Files that a command writes are not readable by other users.
    process.umask(0o077)
    const { runCommand } = await import('./commands/run.ts')
    process.exitCode = await runCommand(name, rest, { log, env: process.env })
  }
}

/** Serves, in a child that is started again when an error ends it; systemd does that itself. */
async function serve(): Promise<void> {
  if (isLaunched || Number(process.env.SYSTEMD_EXEC_PID) === process.pid) {
    await import('./main.ts')
    return
  }
  const { runServer } = await import('../scripts/bootstrap/foreground.mjs')
  const { launchedBy, serverMemory } = await import('../scripts/bootstrap/launched.mjs')
  const args = [...serverMemory, ...process.execArgv, process.argv[1] ?? '']
  process.exitCode = await runServer(process.execPath, launchedBy(args), process.cwd())
}

const help = usageText({
  program: 'wheelhouse',
  description: 'Serves the console together with its server.',
  example: 'PORT=9000 wheelhouse',
}).trimEnd()

/** The first version of Node with argon2. */
const minimumNode = [24, 7] as const

function isNodeTooOld(): boolean {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  return major < minimumNode[0] || (major === minimumNode[0] && minor < minimumNode[1])
}

function fail(sentence: string, exitCode: number): void {
  log.error(sentence)
  process.exitCode = exitCode
}

await main(process.argv.slice(2))
