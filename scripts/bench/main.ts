import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { readArguments } from '../bootstrap/arguments.mjs'

/** The program of each argument, beside this file. */
const programs = {
  hostRead: 'hostRead.ts',
  alerts: 'alerts.ts',
  backtest: 'backtest.ts',
  console: 'console.ts',
  afar: 'slowNetwork.ts',
  terminal: 'terminal.ts',
  services: 'services.ts',
  agents: 'agents.ts',
  configuration: 'configuration.ts',
  metrics: 'metrics.ts',
}
const { names } = readArguments({
  name: 'npm run bench --',
  description: 'Measures times, bytes and memory, and fails when a limit is passed. Without names, all benches run.',
  choices: { argument: 'BENCH', values: Object.keys(programs) },
})
const benches = Object.entries(programs).filter(([name]) => names.length === 0 || names.includes(name))

let failures = 0
for (const [name, program] of benches) {
  console.log(`== ${name}`)
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, program)], { stdio: 'inherit' })
  if (status !== 0) failures += 1
}
if (failures > 0) console.error(`${failures} of ${benches.length} benches missed their limit.`)
process.exitCode = failures > 0 ? 1 : 0
