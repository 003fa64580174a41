import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Consequence } from '../../src/schemas/define/effects.ts'
import { server } from '../../src/schemas/server.ts'
import { serverGroup } from '../../src/schemas/serverGroup.ts'
import { serverShare } from '../../src/schemas/serverShare.ts'
import type { Context, EntityHooks } from '../api/entityHooks.ts'
import { dropMembers, memberGroupHooks, sortedMembers } from '../api/memberGroupHooks.ts'
import { roleTables } from '../auth/roles/roleTables.ts'
import { isGroupOfTeam } from '../auth/teams/teams.ts'
import { repeat } from '../concurrency/repeat.ts'
import type { Store } from '../db/store.ts'
import { entityTable } from '../entities/entityTable.ts'
import type { Log } from '../log.ts'
import { owns } from '../person.ts'
import { createMachines, type Machines } from './machines.ts'
import { registerServerOrders } from './orders.ts'
import { createServerAccess, type ServerAccess, serverHooks } from './serverHooks.ts'
import { createServerTransfers, type ServerTransfers } from './serverTransfers.ts'
import { registerTransferSocket, registerTransfers } from './transferSocket.ts'

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
