import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ask, startPostgres } from '../../tests/support/postgres/startPostgres.ts'
import { spawnServer } from '../../tests/support/server/process/spawnServer.ts'
import { signIn } from '../soak/api.ts'
import { addRows, admin } from './agents/fleetServer.ts'
import { addRowsToPostgres } from './cluster/benchCluster.ts'
import { fillFile, fillPostgres } from './history/fillHistory.ts'
import { figure } from './support/figure.ts'
import { processorSeconds, residentMib } from './support/processorTime.ts'

const machines = Number(process.env.BENCH_MACHINES ?? 5000)
const days = 400
/** Of how many machines a chart is read. */
const charts = 30
const metrics = ['cpu', 'memory', 'net_in_speed'] as const

interface Kept {
  settings: Record<string, string>
  /** Waits, while a server runs, until it can be filled. */
  untilMade(): Promise<void>
  fill(): Promise<void>
  /** Bytes. */
  size(): Promise<number>
}

async function inFile(folder: string): Promise<Kept> {
  const data = join(folder, 'data')
  addRows(data, machines)
  const path = join(data, 'history.db')
  return {
    settings: { DATA_DIR: data },
    untilMade: async () => {},
    async fill() {
      rmSync(path)
      fillFile(path, { name: 'server', ones: machines, days, now: Date.now() })
    },
    size: async () => statSync(path).size,
  }
}

async function inPostgres(folder: string): Promise<Kept> {
  const url = await startPostgres()
  const shared = { DATABASE_URL: url, CLUSTER_KEY: randomBytes(32).toString('base64') }
  addRowsToPostgres(machines, { ...shared, folder: join(folder, 'file') })
  return {
    settings: { ...shared, DATA_DIR: join(folder, 'data') },
    untilMade: () =>
      expect
        .poll(() => ask({ url }, `SELECT to_regclass('wheelhouse.history_server_86400') AS made`), { timeout: 60_000 })
        .not.toEqual([{ made: null }]),
    fill: () => fillPostgres(url, 'wheelhouse', { name: 'server', ones: machines, days, now: Date.now() }),
    async size() {
      const [row] = await ask(
        { url },
        `SELECT sum(pg_total_relation_size(oid)) AS bytes FROM pg_class WHERE relkind = 'r'
         AND starts_with(relname, 'history_server_')`,
      )
      return Number(row?.bytes)
    },
  }
}

test.for([
  { place: 'a file', keep: inFile },
  { place: 'PostgreSQL', keep: inPostgres },
])(`a year of ${machines} machines in $place`, async ({ keep }) => {
  const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-bench-history-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const { settings, untilMade, fill, size } = await keep(folder)
  const own = { ...settings, ADMIN_PASSWORD: admin.password, HISTORY_DAYS: String(days), WATCH_THIS_MACHINE: 'false' }
  const start = async () => {
    const at = performance.now()
    const server = await spawnServer(own)
    const seconds = (performance.now() - at) / 1000
    if (!server.address) throw new Error(`The server did not start:\n${server.output()}`)
    const end = async () => {
      server.kill('SIGTERM')
      await server.ended
    }
    onTestFinished(end)
    return { server, seconds, processor: processorSeconds(server.pid), end }
  }
  const empty = await start()
  await untilMade()
  await empty.end()
  figure('start without a history', empty.seconds, 's')
  figure('start without a history', empty.processor, 's of a processor')

  await fill()
  figure('size, for each machine', (await size()) / machines / 1e6, 'MB')
  const { server, seconds, processor } = await start()
  figure('start with a year', seconds, 's', { max: 3, why: 'nobody waits for an update' })
  figure('start with a year', processor, 's of a processor')

  const api = await signIn(server.address, admin)
  const rows = await api.call<{ id: number }[]>('GET', 'server')
  const times: number[] = []
  const before = processorSeconds(server.pid)
  for (let chart = 0; chart < charts; chart++) {
    const id = rows[Math.floor((chart * rows.length) / charts)]?.id
    const metric = metrics[chart % metrics.length]
    const at = performance.now()
    const { data_points } = await api.call<{ data_points: object[] }>(
      'GET',
      `server/${id}/metrics?metric=${metric}&period=365d`,
    )
    times.push(performance.now() - at)
    expect(data_points.length, 'days of a year').toBeGreaterThan(360)
  }
  times.sort((one, other) => one - other)
  const shown = { max: 500, why: 'longer, and people notice' }
  figure('a chart of a year, median', times[charts / 2] ?? Number.NaN, 'ms', shown)
  figure('a chart of a year, the longest', times.at(-1) ?? Number.NaN, 'ms', shown)
  const used = ((processorSeconds(server.pid) - before) * 1000) / charts
  figure('a chart of a year', used, 'ms of a processor of the server')
  figure('resident memory', residentMib(server.pid), 'MiB')
})
