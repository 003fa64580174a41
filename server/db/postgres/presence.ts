import type { Client } from 'pg'
import type { Log } from '../../log.ts'
import { connect, connectionError, drop, type PostgresPlace, quotedSchema, readRows } from './connection.ts'
import { goneMs, presenceMs } from './nodeList.ts'

/** Tells the other nodes that one is there, and its operator what is wrong with its clock and its connections. */
export interface Presence {
  /** Tells them on this connection, unless it has just been done. @param isUrgent whether it is done all the same */
  note(on: Client, isUrgent?: boolean): Promise<void>
  /** Keeps telling on a connection of its own, as a node that leads does. */
  start(): void
  stop(): void
  /** Tries no more whether PostgreSQL takes new connections. */
  close(): void
}

interface PresenceOptions {
  place: PostgresPlace
  nodeId: string
  address: string
  version: string
  log: Log
  /** The number of the last commit that this node has. */
  applied(): number
  /** Whether the log says already that PostgreSQL cannot be reached. */
  isAway(): boolean
}

/** Milliseconds by which the clock of a node may differ from that of PostgreSQL before its operator is told. */
const clockMs = 10_000
/** Milliseconds between two tries to make a new connection. */
const tryMs = 60_000

export function createPresence(options: PresenceOptions): Presence {
  const { place, nodeId, address, version, log, applied, isAway } = options
  const schema = quotedSchema(place)
  const since = Date.now()
  let notedAt = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined
  let client: Client | undefined
  let isTelling = false
  let isClockWarned = false
  let isRefusalWarned = false

  async function note(on: Client, isUrgent = false): Promise<void> {
    if (!isUrgent && performance.now() - notedAt < presenceMs) return
    const askedAt = Date.now()
    const [row] = await readRows(
      on,
      `INSERT INTO ${schema}.cluster_node (id, address, version, since, seen, applied)
       VALUES ($1, $2, $3, to_timestamp($4::double precision / 1000), clock_timestamp(), $5)
       ON CONFLICT (id) DO UPDATE SET seen = excluded.seen, applied = excluded.applied
       RETURNING extract(epoch FROM seen) * 1000`,
      [nodeId, address, version, since, applied()],
    )
    warnOfClock(Number(row?.[0]), askedAt)
    // A clock of PostgreSQL that was set back leaves nodes of the future behind.
    await readRows(
      on,
      `DELETE FROM ${schema}.cluster_node WHERE abs(extract(epoch FROM clock_timestamp() - seen)) * 1000 > $1`,
      [goneMs],
    )
    notedAt = performance.now()
  }

  /** Who leads and for how long needs no clock of the nodes; sessions, codes of authenticator apps and times on screen do. */
  function warnOfClock(there: number, askedAt: number): void {
    const now = Date.now()
    const differs = there < askedAt - clockMs || there > now + clockMs
    if (differs && !isClockWarned)
      log.warn(
        `The clock of this machine is ${Math.round(Math.abs(now - there) / 1000)} seconds ${now > there ? 'ahead of' : 'behind'} that of PostgreSQL: set the clocks of all nodes, as with NTP. Times on screen jump when another node leads, and codes of authenticator apps are refused.`,
      )
    isClockWarned = differs
  }

  /** The connections that are open outlive a password, a certificate and a limit: who has none left learns of it too late. */
  async function tryConnection(): Promise<void> {
    if (isAway()) return
    try {
      drop(await connect(place, nodeId))
      if (isRefusalWarned) log.info('PostgreSQL takes new connections of this server again.')
      isRefusalWarned = false
    } catch (error) {
      if (isAway() || isRefusalWarned) return
      isRefusalWarned = true
      log.warn(
        `${connectionError(place, error).message} What is connected goes on; charts and the audit log cannot be read, and nothing can be saved once a connection is lost.`,
      )
    }
  }

  async function tell(): Promise<void> {
    // While PostgreSQL does not answer, each would make another connection.
    if (isTelling) return
    isTelling = true
    try {
      client ??= await connect(place, nodeId, () => {
        client = undefined
      })
      await note(client)
    } catch {
      drop(client)
      client = undefined
    }
    isTelling = false
    if (timer) return
    drop(client)
    client = undefined
  }

  const tries = setInterval(() => void tryConnection(), tryMs)
  tries.unref()

  function stop(): void {
    clearInterval(timer)
    timer = undefined
    drop(client)
    client = undefined
  }

  return {
    note,
    start() {
      timer = setInterval(() => void tell(), presenceMs)
      timer.unref()
    },
    stop,
    close() {
      clearInterval(tries)
      stop()
    },
  }
}
