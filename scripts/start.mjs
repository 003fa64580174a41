import { ensureBuilt } from './bootstrap/build.mjs'
import { CommandError, runMain } from './bootstrap/commandError.mjs'
import { compileCacheFolder } from './bootstrap/compileCache.mjs'
import { runForeground, runServer } from './bootstrap/foreground.mjs'
import { ensureInstalled } from './bootstrap/install.mjs'
import { endingWithParent, serverMemory } from './bootstrap/launched.mjs'
import { root } from './bootstrap/paths.mjs'
import { findNode } from './bootstrap/privateNode.mjs'
import { requireSystemNode } from './bootstrap/systemNode.mjs'
import { argumentProblem, commandUsage, startUsage, usageFailure } from './bootstrap/usage.mjs'

await runMain(async () => {
  const args = process.argv.slice(2)
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(commandUsage(args, 'npm start --') ?? startUsage)
    return 0
  }
  const problem = argumentProblem(args, 'npm start --')
  if (problem) throw new CommandError(problem, usageFailure(args[0]))
  requireSystemNode()
  await ensureInstalled()
  const node = findNode()
  if (args.length > 0) return runForeground(node, ['server/cli.ts', ...args])
  await ensureBuilt(node)
  const env = { ...process.env, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? compileCacheFolder() }
  return runServer(node, endingWithParent([...serverMemory, 'server/main.ts'], env), root)
})
