import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import type { Browser } from '@playwright/test'
import { afterAll, beforeAll, test } from 'vitest'
import { WebSocket } from 'ws'
import { type Pages, preparePages } from './support/consoleServer.ts'
import { figure, rounds } from './support/figure.ts'
import { launchBrowser, lists, rowsShown, visit } from './support/visit.ts'

interface Page {
  path: string
  loaded: { selector: string }
  isAnonymous?: boolean
}

const form: Page = { path: '/dashboard/login', loaded: { selector: 'form input[name=username]' }, isAnonymous: true }
const list: Page = { path: lists.console, loaded: rowsShown }
const leastList: Page = { path: lists.least, loaded: rowsShown }
const status: Page = { path: '/', loaded: { selector: 'main h1' }, isAnonymous: true }

let browser: Browser
let compressed: Pages
let uncompressed: Pages
let server: { address: string; thread: Worker }
let addresses: { plain: string; tls: string }

beforeAll(async () => {
  browser = await launchBrowser()
  compressed = await preparePages()
  uncompressed = await preparePages(true)
  server = await compressed.serve({ servers: 5 })
  addresses = {
    plain: (await uncompressed.serve({ servers: 5 })).address,
    tls: (await compressed.serve({ servers: 5, hasTls: true })).address,
  }
})

afterAll(async () => {
  await browser.close()
  await compressed.remove()
  await uncompressed.remove()
})

test('opening pages over a slow network, with a slow processor', async ({ bench }) => {
  const load = (page: Page, address: string) => async () => {
    const { loadMs, close } = await visit(browser, { ...page, address, isSlow: true })
    await close()
    return { overriddenDuration: loadMs }
  }
  const results = await bench.compare(
    bench('status page', load(status, server.address)),
    bench('sign-in form', load(form, server.address)),
    bench('list', load(list, server.address)),
    bench('least list', load(leastList, server.address)),
    bench('list, uncompressed', load(list, addresses.plain)),
    bench('least list, uncompressed', load(leastList, addresses.plain)),
    bench('list over HTTP/2', load(list, addresses.tls)),
    rounds(5),
  )
  const median = (name: Parameters<typeof results.get>[0]) => results.get(name).latency.p50
  const [shown, least, plain] = [median('list'), median('least list'), median('list, uncompressed')]
  const leastPlain = median('least list, uncompressed')
  const first = { max: 2500, why: 'it is in the first reply, without a script' }
  figure('status page painted', median('status page'), 'ms', first)
  const before = { max: 0.75, why: 'who signs in should not wait for what lists need' }
  figure('sign-in form, to the list', median('sign-in form') / shown, 'times', before)
  const slower = '5 % more than when it was measured'
  figure('list of 5 servers, to the least list', shown / least, 'times', { max: 1.5, why: slower })
  figure('uncompressed, to the least list', plain / leastPlain, 'times', { max: 2.3, why: slower })
  const roundTrips = {
    max: 1.1,
    why: 'TLS costs round trips once, and requests at the same time have to be worth them',
  }
  figure('over HTTP/2, to HTTP/1.1', median('list over HTTP/2') / shown, 'times', roundTrips)
})

/** Needs Linux, where every address 127.x.y.z is this machine's: the server takes 64 sockets of an address. */
test('1,000 visitors with open sockets', async () => {
  const seconds = 20
  const url = `${server.address.replace('http', 'ws')}/api/v1/ws/status`
  let frames = 0
  const sockets: WebSocket[] = []
  for (let index = 0; index < 1000; index += 1) {
    const socket = new WebSocket(url, { localAddress: `127.0.1.${1 + Math.floor(index / 50)}` })
    socket.on('message', () => {
      frames += 1
    })
    await once(socket, 'open')
    sockets.push(socket)
  }
  const before = await server.thread.cpuUsage()
  const framesBefore = frames
  await wait(seconds * 1000)
  const { user, system } = await server.thread.cpuUsage(before)
  for (const socket of sockets) socket.terminate()
  const sent = { min: 1000, why: 'each gets some' }
  figure('frames', frames - framesBefore, '', sent)
  const crowd = { max: 20, why: 'a crowd of visitors must not slow down who works on the trouble' }
  figure('one core', (user + system) / 10_000 / seconds, '%', crowd)
})
