import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'
import type { Log } from '../../log.ts'
import { migrate } from '../migrate.ts'
import { migrations } from '../migrations/index.ts'
import type { Migration } from '../migrations/migration.ts'
import { openStore, type Store } from '../store.ts'
import { StoreError, sqliteCode } from '../storeError.ts'
import { type CommitWriter, createCommitWriter, renewMs } from './commitWriter.ts'
import {
  adviceFor,
  answerMs,
  changesChannel,
  connect,
  connectionError,
  drop,
  type PostgresPlace,
  quotedSchema,
  readRows,
  run,
  withConnection,
} from './connection.ts'
import { replaceAll } from './copy.ts'
import { createFollower } from './follower.ts'
import { createLeaderSilence } from './leaderSilence.ts'
import { fillNewCluster, keyCheckOf } from './newCluster.ts'
import { type ClusterStatus, forget, goneMs, hasSuccessor, readStatus } from './nodeList.ts'
import {
  type ClusterState,
  createOwnTables,
  endLockHolder,
  lockNumber,
  readCluster,
  readLockHolder,
} from './ownTables.ts'
import { createPresence } from './presence.ts'
import { refuseSharedConnection } from './sharedConnection.ts'

/** A process of a cluster, which follows the log until it leads. */
export interface ClusterNode {
  readonly id: string
  /**
   * Follows until this node leads.
   * @returns the store, whose writes go to PostgreSQL
   * @throws StoreError with a sentence for the operator
   */
  lead(): Promise<LeaderStore>
  /** Where the leader takes connections of other nodes; `undefined` while there is none. */
  leaderAddress(): string | undefined
  /** Whether PostgreSQL has heard just now of another node that leads. */
  isLeaderAlive(): boolean
  /** Whether another node leads, and this one has a copy of all rows. */
  isFollowing(): boolean
  status(): Promise<ClusterStatus>
  /** Whether another node follows that can lead at once. Never throws. */
  hasSuccessor(): Promise<boolean>
  /** Gives the lead back, and looks for who leads next until it is closed. From the call on, `leaderAddress` is that one's. */
  handOver(): Promise<void>
  close(): Promise<void>
}

export interface LeaderStore {
  /** Of the cluster. */
  identity: string
  /** Whether the leader of before has given the lead back, and knows that it leads no more. */
  isHandedOver: boolean
  store: Store
  writer: CommitWriter
}

export interface ClusterNodeOptions {
  place: PostgresPlace
  /** 32 bytes, the same for all nodes. */
  key: Buffer
  /** Where this node takes connections of other nodes, as `10.0.0.5:41234`. */
  address: string
  version: string
  log: Log
  /** Another node leads: this process must end. */
  onDemoted(): void
  /** See `openStore`. */
  onLostWrite(error: unknown): void
  /** See `createCommitWriter`. */
  leaseMs?: number
  /** What brings the tables to the version of this program. Default: all of its migrations. */
  steps?: readonly Migration[]
}

/** Milliseconds between two looks at the log and the lock. */
const lookMs = 500
/** Milliseconds that a new leader waits for PostgreSQL to confirm the lead, where reading all rows took longer than it. */
const confirmMs = 10_000
/** Milliseconds that a node has, once it holds the lock, to say that it leads: as long as PostgreSQL has to answer it. */
const takeMs = answerMs + lookMs
/** Milliseconds between two looks of a leader of before at who leads next. */
const nextLookMs = 100
/** Milliseconds since PostgreSQL has heard of a leader that is there: it says so every second. */
const aliveMs = 3000
/** Changes of the leader that are kept. */
const keptChanges = 1000

export async function openClusterNode(options: ClusterNodeOptions): Promise<ClusterNode> {
  const { place, key, address, version, log, steps = migrations } = options
  const schema = quotedSchema(place)
  const channel = changesChannel(place)
  const id = randomUUID()
  const keyCheck = keyCheckOf(key)
  const follower = createFollower(place, log)
  let client: Client | undefined
  let state: ClusterState | undefined
  let isClosed = false
  /** What the log says of the loss of PostgreSQL that lasts. */
  const warned = new Set<string>()
  let isFollowing = false
  let isWoken = false
  let endPause = () => {}
  let writer: CommitWriter | undefined
  let isHandedOver = false
  /** Under way: each is a connection of PostgreSQL, and people ask for as many as they like. */
  let statusRead: Promise<ClusterStatus> | undefined
  const silence = createLeaderSilence()
  /** The connection that holds the lock while nobody leads, and since when. */
  let holder: { pid: number; at: number } | undefined
  const presence = createPresence({
    place,
    nodeId: id,
    address,
    version,
    log,
    applied: () => (writer ? writer.numbers().durable : (follower.applied() ?? 0)),
    isAway: () => (writer ? writer.isAway() : client === undefined),
  })

  async function open(): Promise<Client> {
    const next = await connect(place, id)
    next.on('notification', wake)
    await run(next, `LISTEN ${channel}`)
    return next
  }

  /** @throws StoreError when this node does not belong to the cluster */
  function check(found: ClusterState | undefined): void {
    if (!found) return
    if (found.keyCheck !== keyCheck)
      throw new StoreError(
        'CLUSTER_KEY is not the key of the other nodes of this cluster: give all of them the same one.',
      )
    if (found.version > steps.length)
      throw new StoreError(
        `The tables in PostgreSQL have version ${found.version}, and this Wheelhouse knows versions up to ${steps.length}: start the newer Wheelhouse that wrote them.`,
      )
  }

  /**
   * Ends the connection of a node that holds the lock and does not lead. A leader that is stopped or cut off keeps it for as
   * long as PostgreSQL knows nothing of it, and so does a node that is stopped before it has said that it leads.
   */
  async function endStandstill(on: Client, found: ClusterState): Promise<void> {
    const pid = await readLockHolder(on, place)
    if (pid !== holder?.pid) holder = pid === undefined ? undefined : { pid, at: performance.now() }
    const isKnown = found.node !== undefined && pid === found.backend
    if (holder && (isKnown || performance.now() - holder.at > takeMs))
      await endLockHolder(on, place, { ...found, ...holder })
  }

  /** @returns whether this node holds the lock, and no other can act any more */
  async function wins(on: Client): Promise<boolean> {
    const [[locked] = []] = await readRows(on, `SELECT pg_try_advisory_lock(${lockNumber(place)})`)
    const found = await readCluster(on, place)
    check(found)
    if (locked !== 't') {
      const isStill = found && (!found.node || silence.isGone(found, true))
      if (isStill) await endStandstill(on, found)
      else holder = undefined
      return false
    }
    if (!found) await fillNewCluster(on, { place, keyCheck, steps })
    while (!isClosed) {
      const now = await readCluster(on, place)
      isHandedOver = now !== undefined && now.term > 0 && !now.node
      if (!now?.node || silence.isGone(now)) return true
      if (isFollowing) {
        // The leader may only have lost its connection, and needs the lock to go on.
        await readRows(on, `SELECT pg_advisory_unlock(${lockNumber(place)})`)
        return false
      }
      await follower.follow(on)
      await pause(lookMs)
    }
    return false
  }

  /** Waits until there may be something new; what came since the last pause counts. */
  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const go = () => {
        clearTimeout(timer)
        isWoken = false
        endPause = () => {}
        resolve()
      }
      const timer = setTimeout(go, ms)
      endPause = go
      if (isWoken) go()
    })
  }

  function wake(): void {
    isWoken = true
    endPause()
  }

  /**
   * Says on a connection of its own that this node leads, until it is stopped: the one that has the lock is at work for as
   * long as there are rows to read and to change, and others would take its silence for its end.
   */
  function keepRenewing(term: number): () => void {
    let isStopped = false
    async function renew(): Promise<void> {
      try {
        await withConnection(place, id, async (own) => {
          for (; !isStopped; await delay(renewMs)) await run(own, `SELECT ${schema}.renew(${term})`)
        })
      } catch {
        // Whoever leads then, or the other connection, says what is wrong.
      }
    }
    void renew()
    return () => {
      isStopped = true
    }
  }

  /** Takes all rows, with the tables as this program knows them. */
  async function takeRows(on: Client) {
    const { database, tables, lastCommit: before } = await follower.take(on)
    const isCurrent = Number(database.prepare('PRAGMA user_version').get()?.user_version) >= steps.length
    if (isCurrent) return { database, tables, lastCommit: before }
    migrate(database, ':memory:', steps)
    await run(on, 'BEGIN')
    const typeOf = (table: string, column: string) => tables.get(table)?.find(({ name }) => name === column)?.type
    for (const [name, columns] of await replaceAll(on, place, { database, typeOf, former: tables }))
      tables.set(name, columns)
    // The number that is missing in the log makes followers read everything.
    const lastCommit = before + 1
    await run(on, `UPDATE ${schema}.cluster SET version = ${steps.length}, last_commit = ${lastCommit}; COMMIT`)
    return { database, tables, lastCommit }
  }

  async function becomeLeader(on: Client): Promise<LeaderStore> {
    const askedAt = performance.now()
    const [row] = await readRows(
      on,
      `UPDATE ${schema}.cluster SET term = term + 1, node = $1, address = $2, backend = pg_backend_pid(),
         heartbeat = clock_timestamp() RETURNING term, identity`,
      [id, address],
    )
    const term = Number(row?.[0])
    await readRows(on, `INSERT INTO ${schema}.leader_change (term, node, address) VALUES ($1, $2, $3)`, [
      term,
      id,
      address,
    ])
    await readRows(on, `DELETE FROM ${schema}.leader_change WHERE term < $1`, [term - keptChanges])
    const stopRenewing = keepRenewing(term)
    const { database, tables, lastCommit } = await takeRows(on).finally(stopRenewing)
    writer = createCommitWriter({ ...options, nodeId: id, client: on, term, askedAt, lastCommit, tables })
    await writer.untilWritable(confirmMs)
    const store = openStore(':memory:', {
      replica: { database, replication: writer },
      onLostWrite: options.onLostWrite,
    })
    return { identity: row?.[1] ?? '', isHandedOver, store, writer }
  }

  /** Looks at who leads after this node. */
  async function lookForNext(): Promise<void> {
    while (!isClosed) {
      try {
        client ??= await connect(place, id)
        state = await readCluster(client, place)
      } catch {
        drop(client)
        client = undefined
      }
      await pause(nextLookMs)
    }
    drop(client)
  }

  async function lead(): Promise<LeaderStore> {
    for (;;) {
      if (isClosed) throw new StoreError('This node was stopped before it led.')
      try {
        if (!client) {
          client = await open()
          if (warned.size > 0) silence.reconnected()
        }
        await presence.note(client)
        if (await wins(client)) {
          const won = client
          client = undefined
          isFollowing = false
          const leader = await becomeLeader(won)
          presence.start()
          return leader
        }
        state = await readCluster(client, place)
        if (state?.node) {
          await follower.follow(client)
          // At once: only who is known to have the rows is handed the lead.
          if (!isFollowing) await presence.note(client, true)
          isFollowing = true
        }
        if (warned.size > 0) log.info('PostgreSQL is there again.')
        warned.clear()
      } catch (error) {
        drop(client)
        client = undefined
        // An error of ours does not go away by itself.
        if (error instanceof StoreError || error instanceof TypeError || isSqliteError(error)) throw error
        const advice = adviceFor(place, error)
        if (warned.size === 0 || (advice && !warned.has(advice))) log.warn(connectionError(place, error).message)
        warned.add(advice ?? 'away')
      }
      await pause(lookMs)
    }
  }

  try {
    client = await open()
    await refuseSharedConnection(client, place, id)
    await createOwnTables(client, place)
    check(await readCluster(client, place))
  } catch (error) {
    presence.close()
    drop(client)
    throw connectionError(place, error)
  }

  return {
    id,
    lead,
    // The leader of before does not answer the one that takes its place, and that may take a while.
    isLeaderAlive: () => isFollowing && state?.node !== undefined && state.silentMs < aliveMs,
    leaderAddress: () => (state?.node && state.silentMs < goneMs ? state.address : undefined),
    isFollowing: () => isFollowing,
    status() {
      statusRead ??= readStatus(place, id).finally(() => {
        statusRead = undefined
      })
      return statusRead
    },
    hasSuccessor: () => hasSuccessor(place, id),
    async handOver() {
      // That of the leader before this one.
      state = undefined
      presence.stop()
      await forget(place, id)
      await writer?.close()
      void lookForNext()
    },
    async close() {
      isClosed = true
      wake()
      presence.close()
      await writer?.close()
      await forget(place, id)
      drop(client)
      follower.close()
    },
  }
}

const isSqliteError = (error: unknown) => sqliteCode(error) !== undefined
