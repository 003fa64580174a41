import { createLocalHost } from '../../server/machines/hosts/local/localHost.ts'

/**
 * What it costs to watch this machine: processor time per read, and the share of one core at a read every two seconds.
 * The clock is moved on by two seconds per read, so that disks and sensors are asked as often as in real use.
 * Fails when the share is above the limit.
 */
const READS = 600
const INTERVAL_MS = 2000
const LIMIT_PERCENT = 2

let clock = 0
let errors = 0
const host = createLocalHost({
  uuid: '00000000-0000-4000-8000-000000000000',
  version: 'bench',
  now: () => clock,
  onError: (error) => {
    errors += 1
    console.error(error)
  },
})

// The first facts load a library, once per start: a cost of starting, not of watching.
await host.facts()

const before = process.cpuUsage()
for (let read = 0; read < READS; read += 1) {
  clock += INTERVAL_MS
  await host.readState()
  await host.facts()
}
await host.stop()
const { user, system } = process.cpuUsage(before)

const msPerRead = (user + system) / 1000 / READS
const percent = (100 * msPerRead) / INTERVAL_MS
console.log(
  `SystemCounters this machine: ${msPerRead.toFixed(3)} ms of processor time per read, ` +
    `${percent.toFixed(3)} % of one core at a read every ${INTERVAL_MS / 1000} s (limit ${LIMIT_PERCENT} %, ${READS} reads)`,
)
if (errors > 0 || percent > LIMIT_PERCENT) process.exitCode = 1
