import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { endpoints } from '../../src/schemas/endpoints/index.ts'
import { nat as entity } from '../../src/schemas/nat.ts'
import type { EntityHooks } from '../api/entityHooks.ts'
import { allowedHosts } from '../auth/addresses/allowedHosts.ts'
import type { Waf } from '../auth/blocking/blockedAddresses.ts'
import type { User } from '../auth/users/users.ts'
import { askSafely } from '../concurrency/askSafely.ts'
import type { Store } from '../db/store.ts'
import type { ResidentTable } from '../db/table.ts'
import { entityTable } from '../entities/entityTable.ts'
import { addAuditDetails, route } from '../http/routes/route.ts'
import type { Log } from '../log.ts'
import type { Machines } from '../machines/machines.ts'
import { isAdmin } from '../person.ts'
import type { Settings } from '../settings.ts'
import { readSite } from '../site/site.ts'
import { ApiError, timestamp } from '../wire/apiCall.ts'
import { createDestinations, hostName, ownHostsOf, reservedNames } from './destinations.ts'
import { forwardRequest, openTunnel, wantsTunnel } from './forwardRequest.ts'
import { loopHeader, requestHeaders, visitorOf } from './headers.ts'
import { NatError, refuseUpgrade, sendErrorPage, toNatError } from './natError.ts'
import { createOpenRequests } from './openRequests.ts'

export type NatLimits = Pick<NatServices, 'times' | 'limits'>

interface NatOptions {
  store: Store
  log: Pick<Log, 'error'>
  settings: Pick<Settings, 'host' | 'publicUrl' | 'allowUnreleasedNames'>
  /** How long and how many forwarded requests may take. */
  nat?: NatLimits
}

/** Host names that lead to services behind monitored machines: their requests never reach the app. */
export const natPlugin = fp(
  async (app: FastifyInstance, { store, log, settings, nat: limits }: NatOptions) => {
    const { users, waf } = app.auth
    const nat = createNat({ store, machines: app.machines, users, waf, settings, log, ...limits })
    app.entityHooks.set('nat', natHooks(ownHostsOf(settings)))
    const profiles = entityTable(store, entity)
    route(app, { name: 'releaseNat', audit: 'nat.release' }, endpoints.releaseNat, (request) => {
      const { id } = request.params
      const profile = profiles.get(id)
      if (!profile) throw new ApiError(profileNotFound(id))
      addAuditDetails(request, { target: `nat ${id}`, detail: { name: profile.domain } })
      profiles.update(id, { awaits_release: false, updated_at: timestamp() })
    })
    app.dispatch.forward(app, { ...nat, isUpgrade: wantsTunnel })
    app.addHook('preClose', async () => nat.stop())
  },
  // After `http`: the sockets that are registered there are then behind the names that are forwarded.
  { name: 'nat', dependencies: ['entity-hooks', 'http', 'machines'] },
)

const profileNotFound = (id: number) => `profile id ${id} does not exist`

/**
 * NAT profiles (docs/contract/CONTRACT.md#510-nat). A host name is stored as browsers send it, and belongs to one profile,
 * enabled or not. One by which the console itself is reached cannot be given away, and one that a member has chosen waits
 * for an administrator to release it.
 * @param ownHosts the names this server listens by
 */
export const natHooks = (ownHosts: readonly string[]): EntityHooks<typeof entity> => ({
  validation: 'contract',
  serversOf: ({ server_id }) => [server_id],
  notFoundError: profileNotFound,
  unknownReference: () => 'have invalid server id',
  validate(form, { store, person }, row) {
    const domain = hostName(form.domain)
    if (reservedNames(store, ownHosts).has(domain)) throw new ApiError('permission denied')
    const sameName = entityTable(store, entity)
      .all()
      .filter((other) => hostName(other.domain) === domain)
    if (sameName.some(({ id }) => id !== row?.id)) throw new ApiError('database error')
    // Whoever owns a machine could otherwise have the visitors of any name that points here.
    const wasReleased = sameName.length > 0 && row !== undefined && !row.awaits_release
    return { ...form, domain, awaits_release: !isAdmin(person) && !wasReleased }
  },
})

/** Forwards requests for the host names of NAT profiles to services in machines' networks (docs/contract/CONTRACT.md#510-nat). */
export interface Nat {
  /** Whether a request is for a forwarded host name, and so not for the console. */
  isForwarded(host: string | undefined): boolean
  handleRequest(request: IncomingMessage, response: ServerResponse): Promise<void>
  /** @param head bytes that have already arrived after the request */
  handleUpgrade(request: IncomingMessage, client: Duplex, head: Buffer): Promise<void>
  /** Closes all open requests. */
  stop(): void
}

interface NatServices {
  store: Store
  machines: Pick<Machines, 'connected'>
  users: ResidentTable<User>
  waf: Pick<Waf, 'isBlockedByAdmin'>
  settings: Pick<Settings, 'host' | 'publicUrl' | 'allowUnreleasedNames'>
  log: Pick<Log, 'error'>
  times?: Partial<NatTimes>
  limits?: Partial<typeof defaultLimits>
}

/** Time limits in milliseconds. */
export interface NatTimes {
  /** Between two checks of the open requests: whether they are still allowed, and whether data flows. */
  checkIntervalMs: number
  /** To connect to the service; longer than an agent has time to open a stream, which has a reason of its own. */
  connectMs: number
  /** Without data in either direction, until the service begins to reply. */
  replyMs: number
  /** Without data in either direction, after that. Tunnels may be idle. */
  idleMs: number
  /** To deliver remaining data after one end has closed. */
  drainMs: number
}

const defaultTimes: NatTimes = {
  checkIntervalMs: 500,
  connectMs: 12_000,
  replyMs: 60_000,
  idleMs: 300_000,
  drainMs: 10_000,
}
/** Requests and tunnels at the same time. The limit for a profile leaves room for the others. */
const defaultLimits = { perProfile: 512, total: 2048 }

interface OpenOptions {
  /** Whether it may be idle after the service has replied. */
  isTunnel: boolean
  onIdle(error: NatError): void
}

const timeoutError = () => new NatError(504, 'The service behind this name does not answer in time. Try again.')

function createNat(services: NatServices): Nat {
  const { store, machines, users, waf, settings, log } = services
  const times = { ...defaultTimes, ...services.times }
  const openRequests = createOpenRequests({
    checkIntervalMs: times.checkIntervalMs,
    ...defaultLimits,
    ...services.limits,
  })
  const destinations = createDestinations({ store, machines, users, hosts: allowedHosts(settings), settings })
  const marker = randomBytes(8).toString('hex')

  /** Opens the connection for one request. @throws NatError and closes everything on failure */
  async function open(request: IncomingMessage, { isTunnel, onIdle }: OpenOptions) {
    const { headers, socket: client } = request
    const visitor = visitorOf(request, {
      header: readSite(store).web_real_ip_header,
      publicUrl: settings.publicUrl,
      waf,
    })
    if (headers[loopHeader]?.includes(marker)) {
      throw new NatError(508, 'The service behind this name is the server that forwards it.')
    }
    const destination = destinations.find(headers.host)
    if (!destination) throw new NatError(502, 'Nothing is forwarded by this name any more.')
    const host = destinations.connectedHost(destination)

    let connection: Duplex | undefined
    let hasReply = false
    const isHalfClosed = () => client.readableEnded || connection?.readableEnded
    const end = openRequests.add({
      profileId: destination.id,
      client,
      isStillAllowed() {
        const failure = 'Whether a forwarded request may go on could not be found out; it was ended:'
        const isAllowed = () => destination.isStillValid() && !waf.isBlockedByAdmin(visitor.address)
        return askSafely(isAllowed, { fallback: false, log, failure })
      },
      idleLimitMs() {
        if (!hasReply) return times.replyMs
        return isTunnel && !isHalfClosed() ? Number.POSITIVE_INFINITY : times.idleMs
      },
      onIdle: () => onIdle(timeoutError()),
    })
    const abort = new AbortController()
    const connectTimer = setTimeout(() => abort.abort(timeoutError()), times.connectMs)
    const onClientClose = () => abort.abort(new NatError(502, 'The visitor has gone.'))
    client.once('close', onClientClose)
    try {
      connection = await host.connect(destination.target, abort.signal)
      // A broken connection is also closed, which its users handle.
      connection.on('error', () => {})
      if (client.destroyed) onClientClose()
      abort.signal.throwIfAborted()
    } catch (error) {
      connection?.destroy()
      end()
      throw abort.signal.aborted ? abort.signal.reason : error
    } finally {
      clearTimeout(connectTimer)
      client.off('close', onClientClose)
    }
    const upgrade = isTunnel ? headers.upgrade : undefined
    return {
      connection,
      headers: requestHeaders(request, upgrade, { ...visitor, marker }),
      drainMs: times.drainMs,
      onReply() {
        hasReply = true
      },
      end,
    }
  }

  return {
    isForwarded(host) {
      // The console refuses names that are not its own.
      const failure = 'Whether a host name is forwarded could not be found out:'
      return askSafely(() => destinations.find(host) !== undefined, { fallback: false, log, failure })
    },
    async handleRequest(request, response) {
      const sendError = (error: NatError) => sendErrorPage(request, response, error)
      response.on('finish', () => drainBody(request, times.drainMs))
      try {
        const opened = await open(request, { isTunnel: false, onIdle: sendError })
        response.once('close', opened.end)
        forwardRequest(request, response, opened)
      } catch (error) {
        sendError(toNatError(error))
      }
    },
    async handleUpgrade(request, client, head) {
      // A broken connection is also closed, which is handled.
      client.on('error', () => {})
      try {
        const opened = await open(request, { isTunnel: true, onIdle: () => client.destroy() })
        client.once('close', opened.end)
        openTunnel(request, client, head, opened)
      } catch (error) {
        refuseUpgrade(client, toNatError(error))
      }
    },
    stop: openRequests.closeAll,
  }
}

/** Reads the rest of an unwanted body for a while, because most clients only read the reply after sending it. */
function drainBody(request: IncomingMessage, drainMs: number): void {
  if (request.complete) return
  request.unpipe()
  request.resume()
  const timer = setTimeout(() => request.socket.destroy(), drainMs)
  for (const event of ['end', 'close']) request.once(event, () => clearTimeout(timer))
}
