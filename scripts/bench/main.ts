import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

/**
 * The benches, each a program of its own beside this file: it prints figures and fails when a limit is passed.
 * `npm run bench` runs all of them, `npm run bench -- terminal` one.
 */
const all = ['hostRead', 'alerts', 'console', 'terminal', 'services']
const wanted = process.argv.slice(2)
const unknown = wanted.find((name) => !all.includes(name))
const benches = wanted.length > 0 ? wanted : all

if (unknown) {
  console.error(`There is no bench ${unknown}; there are: ${all.join(', ')}`)
  process.exit(2)
}
let failures = 0
for (const bench of benches) {
  console.log(`== ${bench}`)
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, `${bench}.ts`)], { stdio: 'inherit' })
  if (status !== 0) failures += 1
}
if (failures > 0) console.error(`${failures} of ${benches.length} benches missed their limit.`)
process.exitCode = failures > 0 ? 1 : 0
