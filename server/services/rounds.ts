import { createTimeHeap } from '../concurrency/timeHeap.ts'
import type { CheckingServer, Coverage } from './coverage.ts'
import type { ServiceRow } from './serviceRow.ts'

/** Spreads the checks of a service on its servers over its interval, so that its target is not called by all at once. */
export interface Rounds {
  /**
   * Starts a round; while the one before has not reached all servers, as when there is more to do than can be done, the
   * new one follows on it.
   * @param servers by their places, from 0 to 1
   * @param at the planned time in milliseconds since 1970
   * @param isFirst whether the service is new: then the round is quick
   */
  start(service: ServiceRow, servers: readonly CheckingServer[], at: number, isFirst: boolean): void
  /**
   * Checks services on the servers that their rounds have reached, whoever has waited longest first.
   * @param most how many checks; the others come with the next call
   * @returns how many
   */
  continueAll(now: number, most: number): number
}

export interface RoundsOptions {
  coverage: Pick<Coverage, 'count' | 'checks'>
  /** The service as it is now; `undefined` when it was deleted. */
  serviceOf: (id: number) => ServiceRow | undefined
  /** @param at the planned time in milliseconds since 1970 */
  check: (service: ServiceRow, server: CheckingServer, at: number) => void
}

interface Round {
  service: number
  servers: readonly CheckingServer[]
  /** The index of the next of them. */
  next: number
  /** Milliseconds since 1970. */
  startedAt: number
  /** Milliseconds until the last server is reached. */
  spanMs: number
  /** When the next server is reached. */
  at: number
  following: Round | undefined
}

/** In the first round of a new service, thousands of servers do not call its target at once either. */
const firstRoundMsPerServer = 10
/** The part of the interval in which a round reaches all servers. The rest is for the jitter of the timetable. */
const roundShare = 0.9
/** Milliseconds: a round begins on time within a second. */
const onTimeMs = 1000

export function createRounds({ coverage, serviceOf, check }: RoundsOptions): Rounds {
  /** Those that have not reached all servers, by service. */
  const rounds = new Map<number, Round>()
  /** The same, and those that were replaced, until their time comes. */
  const heap = createTimeHeap<Round>()

  function reach(round: Round): void {
    const server = round.servers[round.next]
    round.at = server ? round.startedAt + server.place * round.spanMs : Number.POSITIVE_INFINITY
  }

  function begin(round: Round): void {
    rounds.set(round.service, round)
    reach(round)
    heap.add(round)
  }

  /** After the last server of a round. */
  function end({ service, following }: Round, now: number): void {
    rounds.delete(service)
    heap.removeFirst()
    if (!following || following.servers.length === 0) return
    // A late one begins now, or its target would be called by all at once.
    const isLate = now - following.startedAt > onTimeMs
    begin({ ...following, ...(isLate && { startedAt: now }) })
  }

  function checkNext(service: ServiceRow, round: Round): boolean {
    const server = round.servers[round.next] as CheckingServer
    const { at } = round
    round.next++
    reach(round)
    // It may have been deleted, moved or taken off the list since.
    if (!coverage.checks(service, server.row.id)) return false
    check(service, server, at)
    return true
  }

  return {
    start(service, servers, at, isFirst) {
      const firstSpanMs = isFirst ? coverage.count() * firstRoundMsPerServer : Number.POSITIVE_INFINITY
      const spanMs = Math.max(1, Math.min(firstSpanMs, Math.max(1, service.duration) * 1000 * roundShare))
      const round: Round = { service: service.id, servers, next: 0, startedAt: at, spanMs, at, following: undefined }
      const previous = rounds.get(service.id)
      // After a sleep of the machine, to go on with the one before would be a burst.
      if (previous && at - previous.startedAt < 2 * previous.spanMs) previous.following = round
      else if (servers.length > 0) begin(round)
    },
    continueAll(now, most) {
      let count = 0
      for (let round = heap.first(); round && count < most; round = heap.first()) {
        const isReplaced = rounds.get(round.service) !== round
        const service = isReplaced ? undefined : serviceOf(round.service)
        if (isReplaced) heap.removeFirst()
        else if (!service) end({ ...round, following: undefined }, now)
        else if (round.at > now) break
        else {
          if (checkNext(service, round)) count++
          if (round.next < round.servers.length) heap.firstMoved()
          else end(round, now)
        }
      }
      return count
    },
  }
}
