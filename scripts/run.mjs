// Runs a program of the project under the project's own Node, after installing what is missing:
//   node scripts/run.mjs scripts/bench/main.ts

import { CommandError, runMain } from './bootstrap/commandError.mjs'
import { runForeground } from './bootstrap/foreground.mjs'
import { ensureInstalled } from './bootstrap/install.mjs'
import { findNode } from './bootstrap/privateNode.mjs'
import { requireSystemNode } from './bootstrap/systemNode.mjs'

await runMain(async () => {
  const args = process.argv.slice(2)
  if (args.length === 0) throw new CommandError('Say which file to run: node scripts/run.mjs <file> [arguments]', 2)
  requireSystemNode()
  await ensureInstalled()
  return runForeground(findNode(), args)
})
