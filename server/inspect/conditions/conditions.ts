import type { CompiledAlert } from '../../../src/domain/alerts/compileAlert.ts'
import type { Inspected } from '../../../src/domain/alerts/metricValue.ts'
import { createPlaceQueue, waitForPlace } from '../../concurrency/placeQueue.ts'
import type { Log } from '../../log.ts'
import type { Inspector } from '../inspector.ts'
import type { Answer } from '../polls.ts'
import { subjects } from '../subjects/index.ts'
import { conditionsOfContainers, conditionsOfDisks, conditionsOfPackages, conditionsOfUnits } from './readConditions.ts'
import type { WaitingUpdates } from './waitingUpdates.ts'

/** What alert rules ask of machines. */
type ConditionSubject = CompiledAlert['subjects'][number]

/** What machines say that alert rules watch, asked at an interval. */
export interface Conditions {
  /** Says that a rule watches these subjects of a server: to be called at every check, for as long as one does. */
  want(serverId: number, wanted: readonly ConditionSubject[]): void
  /** What a server said last; `undefined` while nothing is known, or not any more. */
  of(serverId: number): Inspected | undefined
  /** To be called before the database is closed: what machines say from then on is not kept. */
  stop(): void
}

interface Services {
  inspector: Pick<Inspector, 'ask'>
  /** Whose server it is. */
  ownerOf: (serverId: number) => number
  waitingUpdates: WaitingUpdates
  log: Pick<Log, 'error'>
  /** Milliseconds between two questions to one machine, by the settings of this moment. */
  everyMs: () => number
  /** Milliseconds since 1970. */
  now: () => number
}

/**
 * How many machines of one person and of all are asked at the same time: those that never answer hold up those of their
 * owner alone. Who waits longer is asked at the next check.
 */
const places = { perKey: 8, total: 16, waiting: 20_000, waitMs: 300_000 } as const

interface Watched {
  /** When each subject was wanted last. */
  wanted: Map<ConditionSubject, number>
  said: Map<ConditionSubject, { at: number; values: Inspected }>
  isAsking: boolean
  askedAt: number
  /** All that was said, made anew after each question, and until when all of it holds. */
  known: Inspected | undefined
  knownUntil: number
}

export function createConditions({ inspector, ownerOf, waitingUpdates, everyMs, log, now }: Services): Conditions {
  const queue = createPlaceQueue(places)
  /** What a machine said holds so long when it cannot be asked: two questions may fail. */
  const validMs = () => 3 * everyMs()
  const watched = new Map<number, Watched>()
  let forgotAt = now()
  let isStopped = false

  async function values(serverId: number, subject: ConditionSubject): Promise<Inspected | 'timeout' | undefined> {
    switch (subject) {
      case 'units':
        return read(await inspector.ask(serverId, subjects.units, undefined), conditionsOfUnits)
      case 'containers':
        return read(await inspector.ask(serverId, subjects.containers, undefined), conditionsOfContainers)
      case 'disks':
        return read(await inspector.ask(serverId, subjects.disks, undefined), conditionsOfDisks)
      case 'packages':
        return read(await inspector.ask(serverId, subjects.packages, undefined), (items) => {
          if (isStopped) return {}
          const updates = items.flatMap(({ kind, name }) => (kind === 'update' ? [name] : []))
          return conditionsOfPackages(items, waitingUpdates.seen(serverId, updates))
        })
    }
  }

  async function ask(serverId: number, one: Watched): Promise<void> {
    const isWanted = ([, at]: [ConditionSubject, number]) => now() - at < everyMs()
    one.wanted = new Map([...one.wanted].filter(isWanted))
    for (const subject of one.wanted.keys()) {
      if (isStopped) return
      const answered = await values(serverId, subject)
      if (answered === 'timeout') return askLast(one, subject)
      if (answered) one.said.set(subject, { at: now(), values: answered })
    }
  }

  /** It may be this one alone about which the machine says nothing: the next time the others come first. */
  function askLast({ wanted }: Watched, subject: ConditionSubject): void {
    const at = wanted.get(subject)
    wanted.delete(subject)
    if (at !== undefined) wanted.set(subject, at)
  }

  async function askInTurn(serverId: number, owner: number, one: Watched): Promise<void> {
    one.isAsking = true
    const leave = await waitForPlace(queue, String(owner))
    try {
      if (leave) await ask(serverId, one)
    } catch (error) {
      if (!isStopped) log.error('A server could not be asked for what alert rules watch:', error)
    } finally {
      leave?.()
      one.isAsking = false
      if (leave) one.askedAt = now()
      putTogether(one)
      forgetUnwanted()
    }
  }

  function putTogether(one: Watched): void {
    const valid = [...one.said].filter(([subject, { at }]) => one.wanted.has(subject) && now() - at < validMs())
    one.said = new Map(valid)
    one.known = valid.length > 0 ? Object.assign({}, ...valid.map(([, { values: answered }]) => answered)) : undefined
    one.knownUntil = Math.min(...valid.map(([, { at }]) => at)) + validMs()
  }

  function forgetUnwanted(): void {
    if (Math.abs(now() - forgotAt) < validMs()) return
    forgotAt = now()
    for (const [id, { wanted }] of watched) {
      if ([...wanted.values()].every((at) => now() - at > validMs())) watched.delete(id)
    }
  }

  return {
    stop() {
      isStopped = true
    },
    want(serverId, wanted) {
      if (isStopped) return
      const one: Watched = watched.get(serverId) ?? {
        wanted: new Map(),
        said: new Map(),
        isAsking: false,
        askedAt: 0,
        known: undefined,
        knownUntil: 0,
      }
      watched.set(serverId, one)
      const isNew = wanted.some((subject) => !one.wanted.has(subject))
      for (const subject of wanted) one.wanted.set(subject, now())
      // A clock that was set back must not hold it up.
      const isDue = isNew || Math.abs(now() - one.askedAt) >= everyMs()
      if (isDue && !one.isAsking) void askInTurn(serverId, ownerOf(serverId), one)
    },
    of(serverId) {
      const one = watched.get(serverId)
      return one && now() < one.knownUntil ? one.known : undefined
    },
  }
}

/**
 * What an answer means for rules; `undefined` where the machine said nothing, or nothing that is understood, and `timeout`
 * where it did not answer: it would most likely not answer another question either.
 */
function read<Item>({ items = [], cause, text }: Answer<Item>, of: (items: readonly Item[]) => Inspected) {
  if (cause === 'timeout') return cause
  return cause || (text && items.length === 0) ? undefined : of(items)
}
