import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

/** The benches, each a program of its own beside this file: it prints figures and fails when a limit is passed. */
const benches = ['hostRead.ts', 'console.ts']

let failures = 0
for (const bench of benches) {
  console.log(`== ${bench.replace('.ts', '')}`)
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, bench)], { stdio: 'inherit' })
  if (status !== 0) failures += 1
}
if (failures > 0) console.error(`${failures} of ${benches.length} benches missed their limit.`)
process.exitCode = failures > 0 ? 1 : 0
