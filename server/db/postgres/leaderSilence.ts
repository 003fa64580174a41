import { usualLeaseMs } from './commitWriter.ts'
import type { ClusterState } from './ownTables.ts'

/** Milliseconds beyond the lease of a leader that was not heard of until another may lead. */
const marginMs = 500

/** Knows for how long PostgreSQL has not heard of the leader. */
export interface LeaderSilence {
  /** Whether the leader can act no more. @param isConnected whether somebody holds the lock, so that it may be there */
  isGone(state: ClusterState, isConnected?: boolean): boolean
  /** PostgreSQL was away, and is there again. */
  reconnected(): void
}

/**
 * The clock of PostgreSQL may jump, as when it is set or when a replica on another machine takes over: forward, and a leader
 * that has just been heard of would seem gone; back, and one that is gone would seem to be there for as long. So what counts
 * is for how long this node has seen the same sign of life, by its monotonic clock. Of the first one it has not seen the
 * age, and PostgreSQL tells it: otherwise each start after a failure would wait. It is not believed of a leader that may be
 * connected, nor by a PostgreSQL that was a replica at the time: that one may not have the last signs of life.
 */
export function createLeaderSilence(): LeaderSilence {
  let seen: { heartbeat: string | undefined; at: number; isFirst: boolean } | undefined
  /** Before the first loss of a connection, none has been made again. */
  let reconnectedAt = Number.NEGATIVE_INFINITY
  return {
    isGone({ heartbeat, silentMs, isReplicated }, isConnected = false) {
      const now = performance.now()
      if (!seen || seen.heartbeat !== heartbeat) seen = { heartbeat, at: now, isFirst: !seen }
      const isKnown = seen.isFirst && !isConnected && !isReplicated
      const silence = Math.max(now - seen.at, isKnown ? silentMs : 0)
      // What PostgreSQL knows may be older than what it has last confirmed: after a failover to a replica that lagged
      // behind, or a restore. So nobody leads until the last confirmation that there can have been is long enough ago, too.
      return Math.min(silence, now - reconnectedAt) > usualLeaseMs + marginMs
    },
    reconnected() {
      reconnectedAt = performance.now()
    },
  }
}
