import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type { Browser } from '@playwright/test'
import { WebSocket } from 'ws'
import { processorSeconds } from '../agents/processUse.ts'
import type { BenchServer } from '../console/benchServer.ts'
import { visit } from '../console/visit.ts'
import type { Report } from '../report/report.ts'
import type { Metric } from './budgets.ts'
import { throttle } from './throttle.ts'

type AfarReport = Report<Metric, 'console' | 'React + MUI'>

const rounds = 5
const visitors = 1_000
/** Sockets of one address: the server takes 64. */
const perAddress = 50
const measuredMs = 20_000

/**
 * The page for visitors: what it transfers, when it is painted, and what a thousand visitors cost the server. Needs Linux,
 * where every address 127.x.y.z is this machine's.
 */
export async function measureStatusPage(browser: Browser, server: BenchServer, report: AfarReport): Promise<void> {
  const shown = { path: '/', loaded: { selector: 'main h1' } }
  const seen = await visit(browser, server.address, { ...shown, loaded: { selector: 'header select' } })
  await seen.page.waitForLoadState('networkidle')
  report.add('statusBytes', (await seen.traffic.codeBytes(Number.POSITIVE_INFINITY)) / 1000)
  await seen.close()
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const slow = await visit(browser, server.address, { ...shown, prepare: throttle })
    times.push(slow.loadMs)
    await slow.close()
  }
  report.add('statusMs', times)
  report.add('statusVisitors', await shareOfCore(server))
}

/** @returns percent of a core that the server takes while all sockets get their frames */
async function shareOfCore({ address, pid }: BenchServer): Promise<number> {
  const url = `${address.replace('http', 'ws')}/api/v1/ws/status`
  const sockets: WebSocket[] = []
  let frames = 0
  for (let index = 0; index < visitors; index += 1) {
    const localAddress = `127.0.1.${1 + Math.floor(index / perAddress)}`
    const socket = new WebSocket(url, { localAddress })
    socket.on('message', () => {
      frames += 1
    })
    await once(socket, 'open')
    sockets.push(socket)
  }
  const [before, framesBefore, since] = [processorSeconds(pid), frames, performance.now()]
  await pause(measuredMs)
  const used = processorSeconds(pid) - before
  const seconds = (performance.now() - since) / 1000
  for (const socket of sockets) socket.terminate()
  if (frames - framesBefore < visitors) throw new Error('The visitors got no frames.')
  return (used / seconds) * 100
}
