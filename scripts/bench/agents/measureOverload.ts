import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { spawnServer } from '../../../tests/support/server/process/spawnServer.ts'
import { signIn } from '../../soak/api.ts'
import { addRows, admin, freePort, quantileOf, seed } from './measureFleet.ts'
import { processorSeconds, residentMib } from './processUse.ts'
import { startFleet } from './simulatedFleet.ts'

export interface OverloadFigures {
  /**
   * Milliseconds that people waited, each on a connection of their own: the middle, 99 of 100 and the longest; and how much
   * processor time the server had meanwhile, which says more where other programs keep the processors busy.
   */
  person: {
    requests: number
    failed: number
    medianMs: number
    p99Ms: number
    longestMs: number
    processorMs: number[]
  }
  processorPercent: number
  residentMib: number
  /** Of the last seconds. */
  online: number
  receiptsPerSecond: number
  receiptMedianMs: number
  /** Seconds from the moment when half of the agents had gone until receipts came within a second again. */
  normalSeconds: number
  personAfter: OverloadFigures['person']
  log: string
}

const secondsMeasured = 45
const secondsToRecover = 60

/** More agents than the server can carry, while somebody works with it; then half of them leave at once. */
export async function measureOverload(
  count: number,
  place: Parameters<typeof spawnServer>[1] = {},
): Promise<OverloadFigures> {
  const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-overload-'))
  const port = await freePort()
  const settings = {
    ...{ DATA_DIR: join(folder, 'data'), ADMIN_PASSWORD: admin.password, PORT: String(port), HOST: '127.0.0.1' },
  }
  addRows(settings.DATA_DIR, count)
  const running = await spawnServer(settings, place)
  let fleet: ReturnType<typeof startFleet> | undefined
  let person: ReturnType<typeof startPerson> | undefined
  try {
    const api = await signIn(running.address, admin)
    await seed(api)
    const { agent_secret: secret } = await api.call<{ agent_secret: string }>('GET', 'profile')
    const headers = api.headers()
    person = startPerson(running.address, headers, running.pid)
    fleet = startFleet({ port, secret, count, rampMs: 10_000 })
    const [cpu, at] = [processorSeconds(running.pid), performance.now()]
    await wait((secondsMeasured - 10) * 1000)
    await fleet.ask()
    await wait(10_000)
    const processorPercent = ((processorSeconds(running.pid) - cpu) / (performance.now() - at)) * 100_000
    const { online, receipts, waits } = await fleet.ask()
    const during = person.take()
    fleet.stopHalf()
    const leftAt = performance.now()
    let normalSeconds = Number.POSITIVE_INFINITY
    while (performance.now() - leftAt < secondsToRecover * 1000 && normalSeconds === Number.POSITIVE_INFINITY) {
      await wait(1000)
      const answer = await fleet.ask()
      const isNormal = answer.receipts > 0 && quantileOf(answer.waits, 0.99) < 1000
      if (isNormal) normalSeconds = (performance.now() - leftAt) / 1000
    }
    return {
      ...{ person: during, personAfter: person.take(), processorPercent, residentMib: residentMib(running.pid) },
      ...{ online, receiptsPerSecond: receipts / 10, receiptMedianMs: quantileOf(waits, 0.5), normalSeconds },
      log: running.output(),
    }
  } finally {
    person?.stop()
    fleet?.stop()
    running.kill('SIGTERM')
    await running.ended
    rmSync(folder, { recursive: true, force: true })
  }
}

const paths = ['profile', 'setting', 'server-group', 'notification']

/** Asks for something every quarter of a second, on a new connection each time. */
function startPerson(address: string, headers: Record<string, string>, pid: number) {
  let waits: number[] = []
  let processor: number[] = []
  let failed = 0
  let count = 0
  const timer = setInterval(() => {
    const [at, used] = [performance.now(), processorSeconds(pid)]
    const end = (isAnswer: boolean) => {
      if (!isAnswer) return failed++
      waits.push(performance.now() - at)
      return processor.push((processorSeconds(pid) - used) * 1000)
    }
    const asked = request(
      `${address}/api/v1/${paths[count++ % paths.length]}`,
      { headers, agent: new Agent(), timeout: 60_000 },
      (reply) => reply.resume().on('end', () => end(reply.statusCode === 200)),
    )
    asked.on('error', () => end(false)).end()
  }, 250)
  return {
    stop: () => clearInterval(timer),
    take() {
      const at = (share: number, of = waits) =>
        Math.round(of.toSorted((one, other) => one - other)[Math.floor((of.length - 1) * share)] ?? Number.NaN)
      const processorMs = [0.5, 0.99, 1].map((share) => at(share, processor))
      const taken = {
        requests: waits.length,
        failed,
        medianMs: at(0.5),
        p99Ms: at(0.99),
        longestMs: at(1),
        processorMs,
      }
      waits = []
      processor = []
      failed = 0
      return taken
    },
  }
}
