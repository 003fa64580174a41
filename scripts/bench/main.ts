import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { readArguments } from '../bootstrap/arguments.mjs'

/** Each is a program of its own beside this file. */
const all = [
  'hostRead',
  'alerts',
  'backtest',
  'console',
  'afar',
  'terminal',
  'services',
  'agents',
  'configuration',
  'metrics',
]
const { names } = readArguments({
  name: 'npm run bench --',
  description: 'Measures times, bytes and memory, and fails when a limit is passed. Without names, all benches run.',
  choices: { argument: 'BENCH', values: all },
})
const benches = names.length > 0 ? names : all

let failures = 0
for (const bench of benches) {
  console.log(`== ${bench}`)
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, `${bench}.ts`)], { stdio: 'inherit' })
  if (status !== 0) failures += 1
}
if (failures > 0) console.error(`${failures} of ${benches.length} benches missed their limit.`)
process.exitCode = failures > 0 ? 1 : 0
