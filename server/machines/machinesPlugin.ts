import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { WebSocket } from 'ws'
import type { Consequence } from '../../src/schemas/define/effects.ts'
import { nezhaEndpoints as endpoints } from '../../src/schemas/endpoints/nezhaEndpoints.ts'
import type { Transfer } from '../../src/schemas/machines/transfer.ts'
import { server } from '../../src/schemas/server.ts'
import { serverGroup } from '../../src/schemas/serverGroup.ts'
import { serverShare } from '../../src/schemas/serverShare.ts'
import { type Context, dropMembers, type EntityHooks, memberGroupHooks, sortedMembers } from '../api/entityHooks.ts'
import { roleTables } from '../auth/roles/roleTables.ts'
import { isGroupOfTeam } from '../auth/teams/teams.ts'
import { askSafely } from '../concurrency/askSafely.ts'
import { repeat } from '../concurrency/repeat.ts'
import type { Store } from '../db/store.ts'
import { entityTable } from '../entities/entityTable.ts'
import { addAuditDetails, auditNames, auditTarget, route } from '../http/routes/route.ts'
import type { Log } from '../log.ts'
import { owns } from '../person.ts'
import { readFields, readQueryIds } from '../wire/readFields.ts'
import { createMachines, type Machines } from './machines.ts'
import { registerServerOrders } from './orders.ts'
import { createServerAccess, type ServerAccess, serverHooks } from './serverHooks.ts'
import { createServerTransfers, type ServerTransfers } from './serverTransfers.ts'

declare module 'fastify' {
  interface FastifyInstance {
    machines: Machines
    serverAccess: ServerAccess
    serverTransfers: ServerTransfers
  }
}

interface MachinesOptions {
  store: Store
  log: Pick<Log, 'error'>
  /** Default: those in the store, none of which reports. */
  machines?: Machines
  /** The clock, in milliseconds since 1970. */
  now: () => number
}

/** Milliseconds. */
const transferTickMs = 2000

/** The monitored machines: their records, and the orders that they are given. */
export const machinesPlugin = fp(
  async (app: FastifyInstance, { store, log, now, ...options }: MachinesOptions) => {
    const machines = options.machines ?? createMachines({ store, now })
    app.decorate('machines', machines)
    const access = createServerAccess(store)
    app.decorate('serverAccess', access)
    app.entityHooks.set('server', serverHooks(machines, { access, usernameOf: app.usernameOf }))
    app.entityHooks.set('server-group', serverGroupHooks(access))
    registerServerOrders(app, { store, machines })
    const serverTransfers = createServerTransfers({
      store,
      machines,
      usernameOf: app.usernameOf,
      roleOf: app.roleOf,
      now,
    })
    app.decorate('serverTransfers', serverTransfers)
    registerTransfers(app, store, serverTransfers)
    registerTransferSocket(app, serverTransfers, log)
    const transferChecks = repeat(serverTransfers.tick, {
      intervalMs: transferTickMs,
      log,
      failure: 'Moves of servers could not be checked:',
    })
    transferChecks.start()
    app.addHook('onClose', async () => transferChecks.stop())
  },
  { name: 'machines', dependencies: ['entity-hooks', 'security'] },
)

/** Groups of servers; visitors without an account see those with a public server, and of their servers the public ones. */
const serverGroupHooks = (access: ServerAccess): EntityHooks<typeof serverGroup> => ({
  ...memberGroupHooks('servers', 'have invalid server id'),
  notOwnerError: 'unauthorized',
  validate: (form) => ({ ...form, servers: sortedMembers(form.servers) }),
  serversOf: ({ servers }) => servers,
  isVisible: (row, context) =>
    context.person ? access.isGroupListed(context.person, row) : row.servers.some((id) => isPublic(id, context)),
  present(encoded, row, context) {
    const { person } = context
    const servers = row.servers
    if (!person) return { ...encoded, servers: servers.filter((id) => isPublic(id, context)) }
    return owns(person, row, servers) ? encoded : { ...encoded, read_only: true }
  },
  leadsTo: ({ servers = [] }, { store }, id) => (id === undefined ? undefined : growthLeadsTo(store, id, servers)),
  afterDelete: (ids, { store }) => dropMembers(store, serverShare, 'server_groups', ids),
})

/** What it leads to when a group gets servers that others then reach: by a role for the group, or a share that names it. */
function growthLeadsTo(store: Store, id: number, servers: readonly number[]): Consequence | undefined {
  const present = entityTable(store, serverGroup).get(id)?.servers
  if (servers.every((server) => present?.includes(server))) return undefined
  const namesGroup = ({ server_groups }: { server_groups: readonly number[] }) => server_groups.includes(id)
  // As much as giving the role.
  const hasRole = roleTables(store).assignments.all().some(namesGroup) || isGroupOfTeam(store, id)
  if (hasRole) return { leadsTo: 'access', scope: 'nezha:admin:*' }
  const isShared = entityTable(store, serverShare).all().some(namesGroup)
  return isShared ? { leadsTo: 'access', scope: 'nezha:server:write' } : undefined
}

function isPublic(id: number, { store }: Context): boolean {
  const member = entityTable(store, server).get(id)
  return member !== undefined && !member.hide_for_guest
}

/** Milliseconds between two pings. */
const defaultPingMs = 30_000
/** Milliseconds between two looks whether the session or API token of a socket still counts. */
const watchMs = 1_000

/** Messages and pings of a client between two of our pings. It needs none; a flood would take all of the processor. */
const maxMessages = 20

/** Bytes that may wait for a client that does not read. After them it has to connect and ask for the list again. */
const maxWaitingBytes = 64 * 1024

/**
 * Registers `/api/v1/ws/transfer` (docs/contract/CONTRACT.md#104-wstransfer-v2013): a frame for each change of a transfer
 * that the person takes part in, none on connect. A socket ends with the session or API token that opened it.
 * @param transfers where changes come from
 * @param log where errors go
 * @param pingMs milliseconds between two pings
 */
function registerTransferSocket(
  app: FastifyInstance,
  transfers: Pick<ServerTransfers, 'onChange' | 'isVisibleTo'>,
  log: Pick<Log, 'error'>,
  pingMs = defaultPingMs,
): void {
  const { isAlive } = app.auth

  function connect(socket: WebSocket, { person, session }: FastifyRequest): void {
    let isAnswered = true
    let messages = 0

    const countMessage = () => {
      messages++
      if (messages > maxMessages) socket.terminate()
    }

    /** @returns whether the person may see anything more */
    function stays(): boolean {
      const failure = 'Whether a stream of transfers may go on could not be found out; it was ended:'
      if (askSafely(() => isAlive({ person, session }), { fallback: false, log, failure })) return true
      socket.terminate()
      return false
    }

    const stopListening = transfers.onChange((transfer: Transfer) => {
      if (!transfers.isVisibleTo(person, transfer) || !stays()) return
      if (socket.bufferedAmount > maxWaitingBytes) socket.terminate()
      else if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(transfer))
    })
    const watchTimer = setInterval(stays, watchMs)
    const pingTimer = setInterval(() => {
      if (!isAnswered) return socket.terminate()
      isAnswered = false
      messages = 0
      socket.ping()
    }, pingMs)

    socket.on('pong', () => {
      isAnswered = true
    })
    socket.on('message', countMessage)
    socket.on('ping', countMessage)
    // Connection errors are expected; 'close' follows.
    socket.on('error', () => socket.terminate())
    socket.on('close', () => {
      clearInterval(watchTimer)
      clearInterval(pingTimer)
      stopListening()
    })
  }

  app.route({
    method: 'GET',
    url: '/api/v1/ws/transfer',
    onRequest: app.guard('user', { scopes: ['nezha:transfer:read'], keepsToServers: true }),
    handler: (_request, reply) => reply.code(400).type('text/plain; charset=utf-8').send('Bad Request\n'),
    wsHandler: connect,
  })
}

function readMoveForm(body: unknown): { ids: number[]; to_user: number } {
  const { ids, to_user } = readFields(body, 'BatchMoveServerForm', {
    ids: { kind: 'list', of: { kind: 'uint64' } },
    to_user: { kind: 'uint64' },
  })
  return { ids: ids ?? [], to_user: to_user ?? 0 }
}

/** Moves servers to other owners (docs/contract/CONTRACT.md#54-servers). */
function registerTransfers(app: FastifyInstance, store: Store, transfers: ServerTransfers): void {
  const servers = entityTable(store, server)
  const nameOf = (id: number) => servers.get(id)?.name ?? `#${id}`

  /** Names the server of a transfer in the audit log. */
  function recorded(request: FastifyRequest, transfer: Transfer): Transfer {
    const { id, server_id, to_user_id } = transfer
    const detail = { ...auditNames([server_id], nameOf), transfer: id, to_user: to_user_id }
    addAuditDetails(request, { target: auditTarget('server', [server_id]), detail })
    return transfer
  }

  route(app, { name: 'moveServers', audit: 'server.move' }, endpoints.moveServers, readMoveForm, (request) => {
    const { ids, to_user } = request.body
    const detail = { ...auditNames(ids, nameOf), to_user }
    addAuditDetails(request, { target: auditTarget('server', ids), detail })
    return transfers.move(ids, to_user, request.person)
  })
  route(app, 'transfers', endpoints.transfers, ({ person, query }) => transfers.list(person, readQueryIds(query)))
  route(app, { name: 'cancelTransfer', audit: 'server.move-cancel' }, endpoints.cancelTransfer, (request) =>
    recorded(request, transfers.cancel(request.params.id, request.person)),
  )
  route(app, { name: 'retryTransfer', audit: 'server.move-retry' }, endpoints.retryTransfer, (request) =>
    recorded(request, transfers.retry(request.params.id, request.person)),
  )
}
