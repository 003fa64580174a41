import { randomInt } from 'node:crypto'
import type { Role } from '../../src/schemas/define/access.ts'
import { fieldsIn } from '../../src/schemas/define/values.ts'
import type { Transfer, transferStates } from '../../src/schemas/machines/transfer.ts'
import { server } from '../../src/schemas/server.ts'
import { serverGroup } from '../../src/schemas/serverGroup.ts'
import { sortedMembers } from '../api/entityHooks.ts'
import type { Store } from '../db/store.ts'
import { entityTable, type ServerRow } from '../entities/entityTable.ts'
import { isAdmin, makerOf, mayAct, mayReach, owns, type Person, teamOfOwner } from '../person.ts'
import { ApiError, timestamp } from '../wire/apiCall.ts'
import { isOlderThan } from './hosts/agent/agentVersion.ts'
import type { Host } from './hosts/host.ts'
import type { Machines } from './machines.ts'
import { leaveGroups } from './serverHooks.ts'

/** What became of one server of a `POST /batch-move/server`. */
export type MoveOutcome = {
  server_id: number
  status: 'pending' | 'server_not_found' | 'same_owner' | 'already_transferring' | 'agent_too_old' | 'permission_denied'
  transfer_id?: number
}

/**
 * Moves servers to other owners (docs/contract/AGENT.md#93-transfer-exec-fs). A server belongs to its new owner at once.
 * Its agent still has the secret of the old one, so it is given a secret of its own, and the transfer is done when it has
 * connected with that; if it refuses, the server goes back.
 */
export interface ServerTransfers {
  /** @throws ApiError when the person may not move servers to this user */
  move(ids: readonly number[], toUser: number, person: Person | undefined): MoveOutcome[]
  /**
   * The transfers that a person takes part in, all for administrators; the latest first, limited in number.
   * @param ids only these, unless none of them is there
   */
  list(person: Person | undefined, ids?: ReadonlySet<number>): Transfer[]
  /** Gives a server back whose agent has not connected yet. A settled transfer stays as it is. @throws ApiError */
  cancel(id: number, person: Person | undefined): Transfer
  /** Moves a server again after its transfer has failed. @throws ApiError */
  retry(id: number, person: Person | undefined): Transfer
  /** Whether a secret was made for this server's agent; with it, a pending transfer is done. */
  acceptsSecret(serverId: number, secret: string): boolean
  /** Whether a transfer from this user is pending: the agent may still use that user's secret. */
  isPendingFrom(serverId: number, userId: number): boolean
  /** Whether the agent of a server has a secret of its own, and no longer that of a person. */
  hasOwnSecret(serverId: number): boolean
  /** An agent has connected with the secret of the server's owner, as after a new installation: a transfer is done. */
  ownerConnected(serverId: number): void
  /** Sends secrets to agents that have not got theirs yet, and gives servers back whose time is over. */
  tick(): void
  /** Called with each new transfer and each change of its status, once it is stored. @returns removes the listener */
  onChange(listener: (transfer: Transfer) => void): () => void
  /** Whether a person takes part in a transfer; administrators see all. */
  isVisibleTo(person: Person | undefined, transfer: Participants): boolean
}

export interface ServerTransfersOptions {
  store: Store
  machines: Pick<Machines, 'connected' | 'wireReport'>
  /** `undefined` when the user does not exist. */
  usernameOf: (id: number) => string | undefined
  /** `undefined` when the user does not exist. */
  roleOf: (id: number) => Role | undefined
  /** Milliseconds since 1970. */
  now: () => number
}

type Participants = Pick<Transfer, 'server_id' | 'from_user_id' | 'to_user_id' | 'initiator_id'>

interface StoredTransfer {
  id: number
  created_at: string
  updated_at: string
  server_id: number
  /** As `user_id` of records: below 0 for a team. */
  from_user_id: number
  /** Who had made it for that team, or given it. */
  from_made_by: number
  to_user_id: number
  initiator_id: number
  status: keyof typeof transferStates
  last_error: string
  /** When the agent took the secret, RFC 3339. */
  acked_at: string
  /** The groups that the server was taken out of: it comes back with it. */
  left_groups: readonly number[]
  /** For this server's agent only; '' when it does not have it or has a newer one. */
  secret: string
}

const secretLength = 32
const secretCharacters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** A server goes back when its agent has not connected after this. */
const maxPendingMs = 86_400_000
/** An agent that has taken a secret is back after 20 seconds, so it is not sent again before. */
const resendMs = 30_000
/** Older agents do not know the task, and never answer. */
const firstWithTransfers = '2.0.4'
/** Milliseconds until the agent of a team's server is offered a secret of its own again. */
const retryOwnSecretMs = 3_600_000
/** Settled transfers that are kept. */
const maxSettled = 1000

const [pending, verified, failed, timeout, cancelled] = [0, 1, 2, 3, 4] as const

export function createServerTransfers({
  store,
  machines,
  usernameOf,
  roleOf,
  now,
}: ServerTransfersOptions): ServerTransfers {
  const servers = entityTable(store, server)
  const groups = entityTable(store, serverGroup)
  const table = store.table<StoredTransfer>({
    name: 'server_transfer',
    columns: [
      { name: 'created_at', type: 'TEXT' },
      { name: 'updated_at', type: 'TEXT' },
      { name: 'server_id', type: 'INTEGER' },
      { name: 'from_user_id', type: 'INTEGER' },
      { name: 'from_made_by', type: 'INTEGER', initial: 0 },
      { name: 'to_user_id', type: 'INTEGER' },
      { name: 'initiator_id', type: 'INTEGER' },
      { name: 'status', type: 'INTEGER' },
      { name: 'last_error', type: 'TEXT', initial: '' },
      { name: 'acked_at', type: 'TEXT', initial: '' },
      { name: 'secret', type: 'TEXT', initial: '' },
      { name: 'left_groups', type: 'JSON', initial: [] },
    ],
  })
  // In memory, because every call of an agent asks for its secret.
  const transfers = new Map(table.all().map((transfer) => [transfer.id, transfer]))
  const bySecret = new Map<string, StoredTransfer>()
  const pendingByServer = new Map<number, StoredTransfer>()
  const sentAt = new Map<number, number>()
  const nextTryAt = new Map<number, number>()
  const listeners = new Set<(transfer: Transfer) => void>()
  for (const transfer of transfers.values()) {
    if (transfer.secret) bySecret.set(transfer.secret, transfer)
    if (transfer.status === pending) pendingByServer.set(transfer.server_id, transfer)
  }

  function announce(transfer: StoredTransfer): void {
    if (isMove(transfer)) for (const listener of listeners) listener(onWire(transfer))
  }

  function change(transfer: StoredTransfer, changes: Partial<StoredTransfer>): void {
    save(transfer, changes)
    announce(transfer)
  }

  function save(transfer: StoredTransfer, changes: Partial<StoredTransfer>): void {
    const updated = { ...changes, updated_at: timestamp(now()) }
    table.update(transfer.id, updated)
    if (changes.secret === '') bySecret.delete(transfer.secret)
    Object.assign(transfer, updated)
    if (transfer.status !== pending) pendingByServer.delete(transfer.server_id)
  }

  /** @param needsSecret whether the machine has an agent */
  function start(row: ServerRow, toUser: number, initiator: number, needsSecret: boolean): StoredTransfer {
    const at = timestamp(now())
    const values: Omit<StoredTransfer, 'id' | 'left_groups'> = {
      created_at: at,
      updated_at: at,
      server_id: row.id,
      from_user_id: row.user_id,
      from_made_by: row.made_by ?? 0,
      to_user_id: toUser,
      initiator_id: initiator,
      status: needsSecret ? pending : verified,
      last_error: '',
      acked_at: '',
      secret: needsSecret ? newSecret() : '',
    }
    const transfer = store.transaction(() => {
      const isMoved = toUser !== row.user_id
      if (isMoved) servers.update(row.id, { user_id: toUser, made_by: 0, team: 0, updated_at: at })
      const stored = { ...values, left_groups: isMoved ? leaveGroups(store, row.id, toUser, roleOf) : [] }
      return { ...stored, id: table.insert(stored) }
    })
    transfers.set(transfer.id, transfer)
    if (needsSecret) {
      pendingByServer.set(row.id, transfer)
      bySecret.set(transfer.secret, transfer)
    }
    removeOld()
    announce(transfer)
    return transfer
  }

  function removeOld(): void {
    const settled = [...transfers.values()].filter(({ status, secret }) => status !== pending && !secret)
    const old = settled.slice(0, Math.max(0, settled.length - maxSettled)).map(({ id }) => id)
    if (old.length === 0) return
    table.remove(old)
    for (const id of old) transfers.delete(id)
  }

  /** Ends a transfer that did not succeed; the server goes back. */
  function giveBack(transfer: StoredTransfer, status: StoredTransfer['status'], reason: string, secret?: ''): void {
    const { server_id, from_user_id, from_made_by, to_user_id, left_groups } = transfer
    store.transaction(() => {
      const row = servers.get(server_id)
      const isOwnerKnown = mayAct(from_user_id, roleOf)
      if (row?.user_id === to_user_id && isOwnerKnown && isMove(transfer)) {
        const before = { user_id: from_user_id, made_by: from_made_by, team: teamOfOwner(from_user_id) }
        servers.update(server_id, { ...before, updated_at: timestamp(now()) })
        leaveGroups(store, server_id, from_user_id, roleOf)
        for (const group of groups.all()) {
          if (!left_groups.includes(group.id) || group.user_id !== from_user_id) continue
          groups.update(group.id, { servers: sortedMembers([...group.servers, server_id]) })
        }
      }
      save(transfer, { status, last_error: reason, ...(secret === '' && { secret }) })
    })
    announce(transfer)
  }

  async function send(transfer: StoredTransfer, changeSecret: NonNullable<Host['changeSecret']>): Promise<void> {
    sentAt.set(transfer.id, now())
    const refusal = await changeSecret(transfer.secret)
    if (transfer.status !== pending) return
    // The agent has kept its old secret, so nobody needs this one.
    if (refusal !== undefined) giveBack(transfer, failed, refusal, '')
    else change(transfer, { acked_at: timestamp(now()) })
  }

  /** What cannot be sent now is sent again later. */
  function trySend(transfer: StoredTransfer): void {
    if (now() - (sentAt.get(transfer.id) ?? 0) < resendMs) return
    const row = servers.get(transfer.server_id)
    const host = row && machines.connected(row)
    if (host?.changeSecret) send(transfer, async (secret) => host.changeSecret?.(secret)).catch(() => {})
  }

  /** Whether the agent has a secret that nobody else has. */
  const hasOwnSecret = (serverId: number) =>
    [...bySecret.values()].some(({ server_id, status }) => server_id === serverId && status === verified)

  /**
   * Gives the agent of a team's server a secret of its own, as soon as it can take one: until then it has the one of the
   * person who gave the server, who may leave the team.
   */
  function giveOwnSecret(row: ServerRow): void {
    if (pendingByServer.has(row.id) || now() < (nextTryAt.get(row.id) ?? 0) || hasOwnSecret(row.id)) return
    if (!machines.connected(row)?.changeSecret || isTooOld(row)) return
    nextTryAt.set(row.id, now() + retryOwnSecretMs)
    trySend(start(row, row.user_id, makerOf(row), true))
  }

  function isTooOld(row: ServerRow): boolean {
    const { version } = fieldsIn(machines.wireReport(row).host)
    return isOlderThan(String(version ?? ''), firstWithTransfers)
  }

  function moveOne(id: number, toUser: number, person: Person): MoveOutcome {
    const row = servers.get(id)
    if (!row) return { server_id: id, status: 'server_not_found' }
    // Whoever is in a team takes nothing of it along.
    const isOfOthers = teamOfOwner(row.user_id) > 0 && !isAdmin(person)
    if (isOfOthers || !owns(person, row, [id])) return { server_id: id, status: 'permission_denied' }
    if (row.user_id === toUser) return { server_id: id, status: 'same_owner' }
    if (pendingByServer.has(id)) return { server_id: id, status: 'already_transferring' }
    const host = machines.connected(row)
    // A machine without an agent has no secret; one that is offline may have an agent.
    const needsSecret = !host || host.changeSecret !== undefined
    if (needsSecret && isTooOld(row)) return { server_id: id, status: 'agent_too_old' }
    const transfer = start(row, toUser, person.id, needsSecret)
    if (needsSecret) trySend(transfer)
    return { server_id: id, status: 'pending', transfer_id: transfer.id }
  }

  const takesPart = (person: Person | undefined, transfer: Participants) =>
    mayReach(person, [transfer.server_id]) &&
    (isAdmin(person) ||
      (person !== undefined && [transfer.from_user_id, transfer.to_user_id, transfer.initiator_id].includes(person.id)))

  function find(id: number, person: Person | undefined): StoredTransfer {
    const transfer = transfers.get(id)
    if (!transfer || !isMove(transfer) || !takesPart(person, transfer)) throw new ApiError('permission denied')
    return transfer
  }

  return {
    move(ids, toUser, person) {
      if (!person) throw new ApiError('permission denied')
      if (toUser === 0) throw new ApiError('user id is required')
      if (!isAdmin(person) && toUser !== person.id) throw new ApiError('permission denied')
      if (usernameOf(toUser) === undefined) throw new ApiError(`user id ${toUser} does not exist`)
      return [...new Set(ids)].map((id) => moveOne(id, toUser, person))
    },
    list(person, ids) {
      const visible = [...transfers.values()].filter((one) => isMove(one) && takesPart(person, one)).reverse()
      const asked = visible.filter(({ id }) => ids?.has(id))
      return (asked.length > 0 ? asked : visible).slice(0, maxSettled).map(onWire)
    },
    cancel(id, person) {
      const transfer = find(id, person)
      if (!isAdmin(person) && transfer.from_user_id !== person?.id) throw new ApiError('permission denied')
      // The agent may have taken the secret already, so it stays valid for this server.
      if (transfer.status === pending) giveBack(transfer, cancelled, '')
      return onWire(transfer)
    },
    retry(id, person) {
      const transfer = transfers.get(id)
      // An agent that got a secret of its own is no move: trying that again would give the server to the team.
      const isAsked = transfer && person && isMove(transfer) && mayReach(person, [transfer.server_id])
      if (!isAsked) throw new ApiError('database error')
      const outcome = moveOne(transfer.server_id, transfer.to_user_id, person)
      const next = outcome.transfer_id === undefined ? undefined : transfers.get(outcome.transfer_id)
      if (!next) throw new ApiError(outcome.status)
      return onWire(next)
    },
    acceptsSecret(serverId, secret) {
      const transfer = bySecret.get(secret)
      if (!transfer || transfer.server_id !== serverId) return false
      if (transfer.status === pending) {
        change(transfer, { status: verified })
        for (const older of bySecret.values()) {
          if (older.server_id === serverId && older.id < transfer.id) save(older, { secret: '' })
        }
      }
      return true
    },
    isVisibleTo: takesPart,
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    isPendingFrom(serverId, userId) {
      const transfer = pendingByServer.get(serverId)
      return transfer !== undefined && [transfer.from_user_id, transfer.from_made_by].includes(userId)
    },
    hasOwnSecret,
    ownerConnected(serverId) {
      const transfer = pendingByServer.get(serverId)
      if (transfer) change(transfer, { status: verified })
    },
    tick() {
      for (const row of servers.all()) if (teamOfOwner(row.user_id) > 0) giveOwnSecret(row)
      for (const transfer of pendingByServer.values()) {
        if (now() - Date.parse(transfer.created_at) < maxPendingMs) trySend(transfer)
        else giveBack(transfer, timeout, 'The agent has not connected with its new secret within a day.')
      }
    },
  }
}

const newSecret = () =>
  Array.from({ length: secretLength }, () => secretCharacters[randomInt(secretCharacters.length)]).join('')

/** Whether the server gets another owner, and not only its agent a secret of its own. */
const isMove = ({ from_user_id, to_user_id }: StoredTransfer) => from_user_id !== to_user_id

const onWire = ({
  secret: _,
  left_groups: __,
  from_made_by,
  last_error,
  acked_at,
  ...transfer
}: StoredTransfer): Transfer => ({
  ...transfer,
  from_user_id: makerOf({ user_id: transfer.from_user_id, made_by: from_made_by }),
  ...(last_error && { last_error }),
  ...(acked_at && { acked_at }),
})
