import { request as ask, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { pipeline } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type { TLSSocket } from 'node:tls'
import { hasBody } from '../http/requestLimits.ts'
import { notCertain } from './clusterPlugin.ts'
import { leavingReply, nobodyLeads } from './followerServer.ts'
import { type LinkPurpose, openLink } from './nodeLinks.ts'

/**
 * Answers requests at a node that has given the lead to another one, until it ends: by passing each on, as soon as the
 * next leader answers.
 */
interface RequestPasser {
  serve(request: IncomingMessage, response: ServerResponse): void
  /** Waits until the next leader answers. From then on `/readyz` sends people to other nodes. @returns whether it does */
  untilAnswered(ms: number): Promise<boolean>
}

interface PasserOptions {
  key: Buffer
  /** Of the next leader; `undefined` while there is none. */
  leaderAddress(): string | undefined
  /** Milliseconds that a request waits for a leader. Default: ten seconds. */
  holdMs?: number
}

/** Milliseconds that a request waits for a leader, between two tries, and for the leader to say that it is ready. */
const [defaultHoldMs, retryMs, readyMs] = [10_000, 100, 2000]

/** What belongs to one connection alone. What asks for another protocol is answered before. */
const ofConnection = new Set([
  'connection',
  'expect',
  'keep-alive',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
])

export function createRequestPasser({ key, leaderAddress, holdMs = defaultHoldMs }: PasserOptions): RequestPasser {
  let isNextReady = false

  function serve(request: IncomingMessage, response: ServerResponse): void {
    const [path] = request.url?.split('?') ?? []
    if (path === '/livez') reply(response, 200, 'text/plain', 'ok\n')
    else if (path === '/readyz' && isNextReady) reply(response, leavingReply.status, 'text/plain', leavingReply.text)
    else if (path === '/readyz') reply(response, 200, 'text/plain', 'ok\n')
    else pass(request, response, performance.now() + holdMs)
  }

  /** @param until when it is told that there is no leader, by the monotonic clock */
  function pass(request: IncomingMessage, response: ServerResponse, until: number): void {
    if (response.destroyed) return
    const again = () => {
      if (performance.now() < until) setTimeout(pass, retryMs, request, response, until)
      else refuse(response, nobodyLeads)
    }
    const address = leaderAddress()
    if (address === undefined) return void again()
    const link = openLink(address, key, purposeOf(request.socket))
    const end = () => void link.destroy()
    const failed = () => {
      response.off('close', end)
      again()
    }
    response.once('close', end)
    link.on('error', () => {})
    link.once('close', failed)
    link.once('secureConnect', () => {
      link.off('close', failed)
      send(link, request, response)
    })
  }

  async function answers(address: string): Promise<boolean> {
    const link = openLink(address, key, { remoteAddress: '127.0.0.1', remotePort: 0 })
    const signal = AbortSignal.timeout(readyMs)
    try {
      return await new Promise((resolve, reject) => {
        const asked = ask({ createConnection: () => link, path: '/readyz', signal }, (reply) => {
          reply.resume()
          resolve(reply.statusCode === 200)
        })
        asked.on('error', reject).end()
      })
    } catch {
      return false
    } finally {
      link.destroy()
    }
  }

  return {
    serve,
    async untilAnswered(ms) {
      const until = performance.now() + ms
      while (!isNextReady && performance.now() < until) {
        const address = leaderAddress()
        isNextReady = address !== undefined && (await answers(address))
        if (!isNextReady) await delay(retryMs)
      }
      return isNextReady
    },
  }
}

function send(link: TLSSocket, request: IncomingMessage, response: ServerResponse): void {
  const { method, url } = request
  const headers = endToEnd(request.headers)
  // Node writes a body of unknown length as it is where most requests have none, as with DELETE: the leader would take its
  // bytes for another request, with headers that no proxy has checked.
  if (hasBody(request) && headers['content-length'] === undefined) headers['transfer-encoding'] = 'chunked'
  const asked = ask({ createConnection: () => link, method, path: url, headers })
  asked.once('response', (reply) => {
    response.writeHead(reply.statusCode ?? 502, endToEnd(reply.headers))
    pipeline(reply, response, () => {})
  })
  asked.once('error', () => {
    if (response.headersSent) response.destroy()
    else refuse(response, notCertain)
  })
  pipeline(request, asked, () => {})
}

const endToEnd = (headers: IncomingHttpHeaders): IncomingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !ofConnection.has(name) && !name.startsWith(':')))

function purposeOf(socket: Socket): LinkPurpose {
  const { remoteAddress, remotePort } = socket
  return { remoteAddress, remotePort, isDecrypted: 'encrypted' in socket && socket.encrypted === true }
}

function reply(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, {
    'content-type': `${type}; charset=utf-8`,
    'cache-control': 'no-store',
    ...(status === 503 && { 'retry-after': '5' }),
  })
  response.end(body)
}

const refuse = (response: ServerResponse, error: string) =>
  reply(response, 503, 'application/json', JSON.stringify({ error }))
