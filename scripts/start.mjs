import { ensureBuilt } from './bootstrap/build.mjs'
import { runForeground } from './bootstrap/foreground.mjs'
import { ensureInstalled } from './bootstrap/install.mjs'
import { findNode } from './bootstrap/privateNode.mjs'
import { Refusal, runMain } from './bootstrap/refusal.mjs'
import { requireSystemNode } from './bootstrap/systemNode.mjs'
import { startUsage } from './bootstrap/usage.mjs'

await runMain(async () => {
  const args = process.argv.slice(2)
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(startUsage)
    return 0
  }
  if (args.length > 0) {
    throw new Refusal(`Unknown argument ${args[0]}: settings are read from the environment, see npm start -- --help`, 2)
  }
  requireSystemNode()
  await ensureInstalled()
  const node = findNode()
  await ensureBuilt(node)
  return runForeground(node, ['server/main.ts'])
})
