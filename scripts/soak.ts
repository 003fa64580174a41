import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ServerProcess, spawnServer } from '../tests/support/server/spawnServer.ts'
import { readArguments } from './bootstrap/arguments.mjs'
import { type Api, signIn } from './soak/api.ts'
import { type Figures, lostBetween, missingIn, readFigures } from './soak/figures.ts'
import { judgeMemory, memoryIn } from './soak/memory.ts'
import { type AtWork, pause, stranger, typist, viewer } from './soak/people.ts'
import { openPlaces } from './soak/places.ts'
import { crowdSize, ownMachine, seedRecords } from './soak/seedRecords.ts'

const { numbers } = readArguments({
  name: 'npm run soak --',
  description: `Lets a server work for a while as in production, with checks, alerts, tasks and people, and a restart in the
middle. It is started for this in a temporary folder. Fails when its memory grows, a check is missed, something that
was set up does not happen, the restart loses something, the log holds an error, or the server ends.`,
  options: { minutes: { help: 'how long', default: 30, min: 2, fraction: true } },
})
const { minutes } = numbers

const admin = { username: 'admin', password: 'only for the soak' }
const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-soak-'))
const nodeArgs = ['--expose-gc', '--import', join(import.meta.dirname, 'soak/tellMemory.ts')]
const faults: string[] = []
const say = (text: string) => console.info(`${new Date().toISOString().slice(11, 19)}  ${text}`)

const start = () => spawnServer({ DATA_DIR: join(folder, 'data'), ADMIN_PASSWORD: admin.password }, { nodeArgs })

/** Lines of a log that tell of a fault. */
const stains = (output: string) => output.match(/^.*(?:failed:|Error\b|Warning:|^\s+at ).*$/gm) ?? []

async function end(name: string, server: ServerProcess): Promise<void> {
  server.kill('SIGTERM')
  const code = await Promise.race([server.ended, pause(10_000).then(() => 'no')])
  if (code !== 0) faults.push(`${name} ended with the code ${code} within 10 s.`)
  if (code === 'no') server.kill('SIGKILL')
  faults.push(
    ...stains(server.output())
      .slice(0, 20)
      .map((line) => `${name} logged: ${line}`),
  )
  const { line, faults: grown } = judgeMemory(name, memoryIn(server.output()))
  say(line)
  faults.push(...grown)
}

async function letIn(api: Api): Promise<Record<string, AtWork>> {
  const { id } = await ownMachine(api)
  return { viewer: viewer(api), other: viewer(api), typist: await typist(api, id), stranger: stranger(api) }
}

function sendAway(people: Record<string, AtWork>): void {
  for (const [name, person] of Object.entries(people)) {
    person.leave()
    if (person.done() === 0) faults.push(`The ${name} got nothing done.`)
    faults.push(...person.faults().slice(0, 20))
  }
}

function tell(minute: number, server: ServerProcess, people: Record<string, AtWork>, figures: Figures): void {
  const { rss, held } = memoryIn(server.output()).at(-1) ?? { rss: 0, held: 0 }
  const work = Object.entries(people).map(([name, { done, faults: own }]) => `${name} ${done()}/${own().length}`)
  const { services, alarms, deliveries, tasks, calls } = figures
  const checks = services.map(({ up, down, notPermitted }) => (notPermitted ? 'not permitted' : `${up}+${down}`))
  say(
    `minute ${minute}: rss ${rss.toFixed(0)}, held ${held.toFixed(1)} MiB | ${work.join(', ')} | checks ${checks.join(' ')}` +
      ` | alarms ${alarms.recovered}/${alarms.started}, deliveries ${deliveries.sent}+${deliveries.failed}` +
      ` | notices ${calls.notify}, ddns ${calls.ddns} | tasks ${tasks.scheduled} ${tasks.failed} ${tasks.recovered}`,
  )
}

const places = await openPlaces()
let server = await start()
try {
  if (!server.address) throw new Error(`The server did not start:\n${server.output()}`)
  say(`${minutes} minutes, at ${server.address}`)
  let api = await signIn(server.address, admin)
  const seeded = await seedRecords(api, places, folder)
  let people = await letIn(api)
  const figures = () => readFigures(api, places, seeded, folder)
  const begin = performance.now()
  const restartAt = Math.floor(minutes / 2) * 60
  let before: Figures | undefined

  for (let second = 1; second <= minutes * 60; second++) {
    await pause(Math.max(0, begin + second * 1000 - performance.now()))
    if (server.output().length > 0 && (await Promise.race([server.ended, pause(0).then(() => 'runs')])) !== 'runs') {
      throw new Error(`The server ended by itself:\n${server.output().slice(-2000)}`)
    }
    // Down for 45 s, up for 75; a crowd for 30 s, none for 60.
    await places.shake(second % 120 < 60 || second % 120 >= 105)
    if (second % 90 === 20) await places.crowd(crowdSize)
    if (second % 90 === 50) await places.crowd(0)
    if (second % 60 === 40) await api.call('POST', `wheelhouse/ddns/${seeded.ddnsId}/update`)
    if (second % 60 === 0) tell(second / 60, server, people, await figures())
    // What goes on after a restart needs its first checks.
    if (before && second === restartAt + 30) faults.push(...lostBetween(before, await figures()))
    if (second !== restartAt) continue
    before = await figures()
    sendAway(people)
    await end('The server before the restart', server)
    server = await start()
    if (!server.address) throw new Error(`The server did not start again:\n${server.output()}`)
    api = await signIn(server.address, admin)
    people = await letIn(api)
  }
  const last = await figures()
  sendAway(people)
  faults.push(...missingIn(last, minutes))
} catch (error) {
  faults.push(String(error))
} finally {
  await end('The server at last', server)
  places.close()
  rmSync(folder, { recursive: true, force: true })
}
for (const fault of faults) console.error(fault)
say(faults.length === 0 ? 'Good: nothing was missed, lost or left behind.' : `Not good: ${faults.length} faults.`)
process.exit(faults.length > 0 ? 1 : 0)
