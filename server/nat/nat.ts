import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { knownHosts } from '../auth/addresses/allowedHosts.ts'
import type { Waf } from '../auth/blocking/blockedAddresses.ts'
import type { User } from '../auth/users.ts'
import type { Store, Table } from '../db/store.ts'
import type { Machines } from '../machines/machines.ts'
import type { Settings } from '../settings.ts'
import { readSite } from '../site/site.ts'
import { createDestinations } from './destinations.ts'
import { NatFailure, natFailureOf, refuseUpgrade, sendFailure } from './failure.ts'
import { forward } from './forward.ts'
import { loopHeader, requestHeaders } from './headers.ts'
import { createVisits } from './openRequests.ts'
import { tunnel } from './tunnel.ts'
import { visitorOf } from './visitor.ts'

/** Leads visitors of the host names of NAT profiles to the services behind (docs/contract/CONTRACT.md#510-nat). */
export interface Nat {
  /** Whether a request is by a forwarded name; it is none of the console's business then. */
  takes(asked: IncomingMessage): boolean
  answer(asked: IncomingMessage, response: ServerResponse): Promise<void>
  /** @param head what came behind the request already */
  tunnel(asked: IncomingMessage, client: Duplex, head: Buffer): Promise<void>
  /** Breaks off all that is under way. */
  stop(): void
}

export interface NatServices {
  store: Store
  machines: Pick<Machines, 'connected'>
  users: Table<User>
  waf: Pick<Waf, 'isBlocked' | 'secondsLeft'>
  settings: Pick<Settings, 'host' | 'publicUrl'>
  times?: Partial<NatTimes>
  limits?: Partial<typeof usualLimits>
}

/** In milliseconds. */
export interface NatTimes {
  /** Between two looks at what is under way: whether it still may, and whether anything moves. */
  lookMs: number
  /** For the connection to the service. */
  connectMs: number
  /** Without a byte either way, until the service begins to answer. */
  answerMs: number
  /** Without a byte either way, from then on. Tunnels may be silent. */
  pauseMs: number
  /** For what is left when one end has gone. */
  partingMs: number
}

const usualTimes: NatTimes = {
  lookMs: 500,
  connectMs: 10_000,
  answerMs: 60_000,
  pauseMs: 300_000,
  partingMs: 10_000,
}
/** Requests and tunnels at the same time: one name that everybody visits leaves room for the others. */
const usualLimits = { perProfile: 512, total: 2048 }

interface OpenOptions {
  /** Whether it may be silent, once the service has answered. */
  isTunnel: boolean
  onSilence(failure: NatFailure): void
}

const tooSlow = () => new NatFailure(504, 'The service behind this name does not answer in time. Try again.')

export function createNat(services: NatServices): Nat {
  const { store, machines, users, waf, settings } = services
  const times = { ...usualTimes, ...services.times }
  const visits = createVisits({ lookMs: times.lookMs, ...usualLimits, ...services.limits })
  const destinations = createDestinations({ store, machines, users, hosts: knownHosts(settings), settings })
  const marker = randomBytes(8).toString('hex')

  /** Opens the way for one request; what goes wrong is thrown, and nothing is left open then. */
  async function open(asked: IncomingMessage, { isTunnel, onSilence }: OpenOptions) {
    const { headers, socket: client } = asked
    const visitor = visitorOf(asked, {
      header: readSite(store).web_real_ip_header,
      publicUrl: settings.publicUrl,
      waf,
    })
    if (headers[loopHeader]?.includes(marker)) {
      throw new NatFailure(508, 'The service behind this name is the server that forwards it.')
    }
    const destination = destinations.find(headers.host)
    if (!destination) throw new NatFailure(502, 'Nothing is forwarded by this name any more.')
    const host = destinations.hostOf(destination)

    let line: Duplex | undefined
    let hasAnswer = false
    const halfOver = () => client.readableEnded || line?.readableEnded
    const end = visits.begin({
      ...{ profileId: destination.id, client },
      mayStay: () => destination.stillHolds() && !waf.isBlocked(visitor.address),
      patienceMs() {
        if (!hasAnswer) return times.answerMs
        return isTunnel && !halfOver() ? Number.POSITIVE_INFINITY : times.pauseMs
      },
      onSilence: () => onSilence(tooSlow()),
    })
    const giveUp = new AbortController()
    const late = setTimeout(() => giveUp.abort(tooSlow()), times.connectMs)
    const leave = () => giveUp.abort(new NatFailure(502, 'The visitor has gone.'))
    client.once('close', leave)
    try {
      line = await host.connect(destination.target, giveUp.signal)
      // What breaks is closed, which is all there is to do; the ends are told by those that use it.
      line.on('error', () => {})
      if (client.destroyed) leave()
      giveUp.signal.throwIfAborted()
    } catch (error) {
      line?.destroy()
      end()
      throw giveUp.signal.aborted ? giveUp.signal.reason : error
    } finally {
      clearTimeout(late)
      client.off('close', leave)
    }
    const upgrade = isTunnel ? headers.upgrade : undefined
    return {
      line,
      headers: requestHeaders(asked, upgrade, { ...visitor, marker }),
      partingMs: times.partingMs,
      onAnswer() {
        hasAnswer = true
      },
      end,
    }
  }

  return {
    takes: ({ headers }) => destinations.find(headers.host) !== undefined,
    async answer(asked, response) {
      const fail = (failure: NatFailure) => sendFailure(asked, response, failure)
      response.on('finish', () => letGo(asked, times.partingMs))
      try {
        const way = await open(asked, { isTunnel: false, onSilence: fail })
        response.once('close', way.end)
        forward(asked, response, way)
      } catch (error) {
        fail(natFailureOf(error))
      }
    },
    async tunnel(asked, client, head) {
      // What breaks is closed, which is all there is to do.
      client.on('error', () => {})
      try {
        const way = await open(asked, { isTunnel: true, onSilence: () => client.destroy() })
        client.once('close', way.end)
        tunnel(asked, client, head, way)
      } catch (error) {
        refuseUpgrade(client, natFailureOf(error))
      }
    },
    stop: visits.endAll,
  }
}

/** What is left of a body that nobody wants may go by, for a while: whoever sends it would not see the answer else. */
function letGo(asked: IncomingMessage, partingMs: number): void {
  if (asked.complete) return
  asked.unpipe()
  asked.resume()
  const timer = setTimeout(() => asked.socket.destroy(), partingMs)
  for (const event of ['end', 'close']) asked.once(event, () => clearTimeout(timer))
}
