import {
  type ApiDescription,
  type DescribedRoute,
  routesIn,
} from '../../tests/support/server/routes/describedRoutes.ts'
import { randomlyFrom } from '../seed/random.ts'
import { checkReply, type FuzzReply } from './checkReply.ts'
import { type Account, anonymousClient, type Client, type Send, signedInClient } from './clients.ts'
import { type FuzzRequest, nextRequest } from './requests.ts'

export interface FuzzOptions {
  send: Send
  /** An administrator of the server. */
  admin: Account
  /** How many requests to send. */
  count: number
  /** The same number sends the same requests, as long as they go one at a time. */
  seed: number
  /** Requests under way at a time. */
  atOnce?: number
  /** Called after every request. */
  onProgress?: (sent: number) => void
}

export interface FuzzReport {
  /** How often each HTTP status came. */
  statuses: Map<number, number>
  /** How many replies were successes, by client. */
  successes: Record<string, number>
  /** What was wrong, with the request that brought it about. */
  faults: string[]
  /** The described calls that were made at least once. */
  routes: number
}

const member: Account = { username: 'fuzz-member', password: 'a password for the member' }

/** So many faults are enough to see what is wrong. */
const faultsAtMost = 20
/** After so many requests, what they have made is deleted: lists that grow without end only cost time. */
const sweepEvery = 500

/** Sends made-up requests as an administrator, as a member and without a session, and looks at every reply. */
export async function fuzz({ send, admin, count, seed, atOnce = 1, onProgress }: FuzzOptions): Promise<FuzzReport> {
  const random = randomlyFrom(seed)
  const routes = await describe(send)
  const cleaner = signedInClient(send, random, admin)
  const makeMember = async () => {
    await cleaner.send(json('POST', 'user', { ...member, role: 1 }))
    const { text } = await cleaner.send({ method: 'GET', path: '/api/v1/user', headers: {} })
    const { data = [] } = JSON.parse(text) as { data?: { id: number; username: string }[] }
    const id = data.find(({ username }) => username === member.username)?.id
    // It may have been disabled.
    if (id) await cleaner.send(json('POST', `wheelhouse/users/${id}/enable`, {}))
  }
  const clients: [string, Client][] = [
    ['admin', signedInClient(send, random, admin)],
    ['member', signedInClient(send, random, member, makeMember)],
    ['anonymous', anonymousClient(send, random)],
  ]
  const report: FuzzReport = {
    statuses: new Map(),
    successes: { admin: 0, member: 0, anonymous: 0 },
    faults: [],
    routes: 0,
  }
  const called = new Set<DescribedRoute>()
  let sent = 0

  async function sendOne(): Promise<void> {
    const [who, client] = clients[random.whole(clients.length)] as [string, Client]
    const request = nextRequest(random, routes)
    if (request.route) called.add(request.route)
    // A made-up sign-in fails, and its address is blocked: no other client may use it.
    const from = request.route?.name === 'POST login' ? (clients[2] as [string, Client])[1] : client
    const reply = await from.send(request)
    note(who, request, reply)
  }

  function note(who: string, request: FuzzRequest, reply: FuzzReply): void {
    report.statuses.set(reply.status, (report.statuses.get(reply.status) ?? 0) + 1)
    if (reply.text.startsWith('{"success":true')) report.successes[who] = (report.successes[who] ?? 0) + 1
    const fault = checkReply(request, reply)
    if (fault)
      report.faults.push(`${who}: ${request.method} ${request.path} ${request.body?.slice(0, 300)}\n  ${fault}`)
  }

  async function work(): Promise<void> {
    while (sent < count && report.faults.length < faultsAtMost) {
      const number = ++sent
      await sendOne()
      onProgress?.(number)
      if (number % sweepEvery === 0) await sweep(cleaner, routes)
    }
  }

  await Promise.all(Array.from({ length: atOnce }, work))
  report.routes = called.size
  return report
}

async function describe(send: Send): Promise<DescribedRoute[]> {
  const reply = await send({ method: 'GET', path: '/api/v1/openapi.json', headers: {} }, '127.0.0.1')
  return routesIn(JSON.parse(reply.text) as ApiDescription)
}

/** Ids that a run may have given out since the last sweep; the first user is the one who cleans up. */
const madeIds = Array.from({ length: 5000 }, (_, index) => index + 2)

/** Deletes what was made, whoever made it. */
async function sweep(cleaner: Client, routes: readonly DescribedRoute[]): Promise<void> {
  for (const { name } of routes) {
    const [, path = ''] = name.split(' ')
    if (path.startsWith('batch-delete/') && path !== 'batch-delete/waf') await cleaner.send(json('POST', path, madeIds))
  }
}

const json = (method: string, path: string, body: unknown): FuzzRequest => ({
  method,
  path: `/api/v1/${path}`,
  headers: {},
  body: JSON.stringify(body),
})
