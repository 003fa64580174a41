#!/usr/bin/env node
import packageJson from '../package.json' with { type: 'json' }
import { argumentProblem, usageText } from '../scripts/bootstrap/usage.mjs'
import { consoleLog as log } from './log.ts'

/** The command `wheelhouse`: serves the console, or does what its first argument names. */
async function main(args: readonly string[]): Promise<void> {
  const [name, argument = ''] = args
  const problem = argumentProblem(args, 'wheelhouse')
  if (problem) return fail(problem, 2)
  if (name === '--help' || name === '-h') return log.info(help)
  if (name === '--version' || name === '-v') return log.info(packageJson.version)
  if (isTooOld()) return fail(`Wheelhouse needs Node ${oldest.join('.')} or newer: see https://nodejs.org`, 1)
  // Only now, for an older Node does not know all that these import.
  if (name === undefined) await import('./main.ts')
  else await (await import('./commands/run.ts')).runCommand(name, argument)
}

const help = usageText({
  program: 'wheelhouse',
  description: 'Serves the console together with its server.',
  example: 'PORT=9000 wheelhouse',
}).trimEnd()

/** Since then Node has argon2. */
const oldest = [24, 7] as const

function isTooOld(): boolean {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  return major < oldest[0] || (major === oldest[0] && minor < oldest[1])
}

function fail(sentence: string, exitCode: number): void {
  log.error(sentence)
  process.exitCode = exitCode
}

await main(process.argv.slice(2))
