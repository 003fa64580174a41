import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../root.ts'
import { type Finished, runProgram } from '../server/process/runCli.ts'

/**
 * What is made from the rest, or packed from nowhere. `dist` is taken along: it is built anew only when it is stale.
 */
const leftOut = new Set(['node_modules', '.git', '.cache', 'bin', 'coverage', 'test-results', 'tests'])

/** Copies the project into `folder`, for `npm pack` lays another package.json in the project's place for a moment. */
export function copyProject(folder: string): void {
  mkdirSync(folder)
  for (const name of readdirSync(root)) {
    if (!leftOut.has(name) && !name.endsWith('.tgz')) cpSync(join(root, name), join(folder, name), { recursive: true })
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
}

/** Runs npm to its end. @throws Error with its words when it fails */
export async function npm(args: readonly string[], cwd: string): Promise<Finished> {
  const { npm_execpath: script } = process.env
  const finished = await (script?.endsWith('npm-cli.js')
    ? runProgram(process.execPath, [script, ...args], { cwd })
    : runProgram('npm', args, { cwd }))
  if (finished.code !== 0) throw new Error(`npm ${args.join(' ')}:\n${finished.stdout}${finished.stderr}`)
  return finished
}
