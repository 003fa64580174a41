import type { CheckingServer, Coverage } from './coverage.ts'
import type { ServiceRow } from './serviceRow.ts'

/** Spreads the checks of a service on its servers over its interval, so that its target is not called by all at once. */
export interface Rounds {
  /**
   * Starts a round. What a late call has left of the one before is checked at once.
   * @param at the planned time in milliseconds since 1970
   * @param isFirst whether the service is new: then the round is quick
   */
  start(service: ServiceRow, at: number, isFirst: boolean): void
  /** Checks each service on the servers that its round has reached since the last call. */
  continueAll(now: number): void
}

export interface RoundsOptions {
  coverage: Coverage
  /** The service as it is now; `undefined` when it was deleted. */
  serviceOf: (id: number) => ServiceRow | undefined
  /** @param at the planned time in milliseconds since 1970 */
  check: (service: ServiceRow, server: CheckingServer, at: number) => void
}

interface Round {
  /** Milliseconds since 1970. */
  startedAt: number
  /** Milliseconds until the last server is reached. */
  spanMs: number
  /** The place of the last server that was reached, from 0 to 1. */
  reached: number
}

/** In the first round of a new service, thousands of servers do not call its target at once either. */
const firstRoundMsPerServer = 10
/** The part of the interval in which a round reaches all servers. The rest is for the jitter of the timetable. */
const roundShare = 0.9

export function createRounds({ coverage, serviceOf, check }: RoundsOptions): Rounds {
  /** Those that have not reached all servers, by service. */
  const rounds = new Map<number, Round>()

  function continueRound(id: number, round: Round, place: number): void {
    const service = serviceOf(id)
    const reached = service ? coverage.serversBetween(service, round.reached, place) : []
    round.reached = place
    for (const server of reached) check(service as ServiceRow, server, round.startedAt + server.place * round.spanMs)
    if (!service || place >= coverage.lastPlace()) rounds.delete(id)
  }

  return {
    start(service, at, isFirst) {
      const previous = rounds.get(service.id)
      // After a sleep of the machine it would be a burst.
      if (previous && at - previous.startedAt < 2 * previous.spanMs) continueRound(service.id, previous, 1)
      const firstSpanMs = isFirst ? coverage.count() * firstRoundMsPerServer : Number.POSITIVE_INFINITY
      const spanMs = Math.max(1, Math.min(firstSpanMs, Math.max(1, service.duration) * 1000 * roundShare))
      rounds.set(service.id, { startedAt: at, spanMs, reached: -1 })
    },
    continueAll(now) {
      for (const [id, round] of rounds) continueRound(id, round, (now - round.startedAt) / round.spanMs)
    },
  }
}
