import { CommandError, runMain } from './bootstrap/commandError.mjs'
import { runForeground } from './bootstrap/foreground.mjs'
import { ensureInstalled } from './bootstrap/install.mjs'
import { findNode } from './bootstrap/privateNode.mjs'
import { requireSystemNode } from './bootstrap/systemNode.mjs'

const usage = `Usage: node scripts/run.mjs FILE [ARGUMENT ...]

Runs a program of the project under the project's own Node, after installing what is missing.
`

await runMain(async () => {
  const args = process.argv.slice(2)
  if (args[0] === '--help' || args[0] === '-h') {
    process.stdout.write(usage)
    return 0
  }
  if (args.length === 0) throw new CommandError('Say which file to run: node scripts/run.mjs FILE [ARGUMENT ...]', 2)
  requireSystemNode()
  await ensureInstalled()
  return runForeground(findNode(), args)
})
