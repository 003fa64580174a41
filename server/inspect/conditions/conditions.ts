import type { CompiledAlert } from '../../../src/domain/alerts/compileAlert.ts'
import type { Inspected, InspectedValue } from '../../../src/domain/alerts/metricValue.ts'
import type { ContainerItem } from '../../../src/schemas/inspect/containers.ts'
import type { DiskItem } from '../../../src/schemas/inspect/hardware.ts'
import type { PackageItem } from '../../../src/schemas/inspect/packages.ts'
import type { UnitItem } from '../../../src/schemas/inspect/units.ts'
import { createPlaceQueue, waitForPlace } from '../../concurrency/placeQueue.ts'
import type { Store } from '../../db/store.ts'
import { keyedTable } from '../../db/writeBehind.ts'
import type { Log } from '../../log.ts'
import type { Answer, Inspector } from '../inspector.ts'
import { ownText, plainName } from '../machine/programs.ts'
import { subjects } from '../subjects/index.ts'

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

/** Names that a value has at most. */
const mostNames = 5

const about = (value: number, names: readonly string[]): InspectedValue => ({
  value,
  names: names.slice(0, mostNames).map((name) => ownText(plainName(name))),
})

const counted = (names: readonly string[]) => about(names.length, names)

/** The highest value, and what has it. Without any there is no value. */
function highest<Item extends { name: string }>(
  items: readonly Item[],
  of: (item: Item) => number,
): InspectedValue | undefined {
  const first = items.toSorted((one, other) => of(other) - of(one))[0]
  return first && about(of(first), [first.name])
}

const namesOf = <Item extends { name: string }>(items: readonly Item[], isMeant: (item: Item) => boolean) =>
  items.filter(isMeant).map(({ name }) => name)

export const conditionsOfUnits = (items: readonly UnitItem[]): Inspected => ({
  unit_failed: counted(namesOf(items, ({ state }) => state === 'failed')),
})

export const conditionsOfContainers = (items: readonly ContainerItem[]): Inspected => ({
  container_unhealthy: counted(namesOf(items, ({ health }) => health === 'unhealthy')),
  container_restarts: highest(items, ({ restarts }) => restarts) ?? about(0, []),
  containers_down: counted(namesOf(items, isDown)),
})

/** Whether it does not run although it did not end well by itself. */
const isDown = ({ state, status }: ContainerItem) =>
  state === 'dead' || state === 'restarting' || (state === 'exited' && !status.startsWith('Exited (0)'))

/** They are full by nature: images of packages and of media. */
const neverWritten = /^(squashfs|iso9660|udf|erofs|cramfs)$/

/** What a machine without such a disk or file system could say is absent: it is neither well nor unwell. */
export function conditionsOfDisks(items: readonly DiskItem[]): Inspected {
  const of = <Kind extends DiskItem['kind']>(kind: Kind) =>
    items.filter((item): item is DiskItem & { kind: Kind } => item.kind === kind)
  const filesystems = of('filesystem').filter(
    ({ type = '', options = '' }) => !neverWritten.test(type) && !/^ro(,|$)/.test(options),
  )
  const withSpace = filesystems.filter(({ used, free }) => used + free > 0)
  const fullest = highest(withSpace, ({ used, free }) => (used / (used + free)) * 100)
  const withInodes = filesystems.filter(({ inodes = 0 }) => inodes > 0)
  const inodes = highest(withInodes, (item) => ((item.inodes_used ?? 0) / (item.inodes ?? 1)) * 100)
  const tested = of('device').filter(({ healthy }) => healthy !== undefined)
  const arrays = of('raid')
  return {
    ...(fullest && { disk_free_min: { ...fullest, value: 100 - fullest.value } }),
    ...(inodes && { inodes_max: inodes }),
    ...(tested.length > 0 && { smart_failing: counted(namesOf(tested, ({ healthy }) => healthy === false)) }),
    ...(arrays.length > 0 && { raid_degraded: counted(namesOf(arrays, ({ is_degraded }) => is_degraded)) }),
  }
}

/** @param waitingDays how long an update has waited, by name; those of which that is not known do not count */
export function conditionsOfPackages(
  items: readonly PackageItem[],
  waitingDays: ReadonlyMap<string, number>,
): Inspected {
  const updates = items.flatMap(({ kind, name }) => {
    const days = kind === 'update' ? waitingDays.get(name) : undefined
    return days === undefined ? [] : [{ name, days }]
  })
  return {
    updates_waiting: highest(updates, ({ days }) => days) ?? about(0, []),
    updates: counted(namesOf(items, ({ kind }) => kind === 'update')),
    reboot_needed: counted(namesOf(items, ({ kind }) => kind === 'reboot')),
  }
}

/** Since when updates wait on machines, which do not say it themselves: they are compared with the last time. */
interface WaitingUpdates {
  /**
   * Takes what waits on a server now.
   * @returns for how many days each of them has waited, by name
   */
  seen(serverId: number, names: readonly string[]): ReadonlyMap<string, number>
}

interface WaitingRow {
  id: number
  server_id: number
  /** Since when, in seconds since 1970, by the name of the package. */
  since: Record<string, number>
}

/** Updates of one server that are remembered; a machine that has more has waited for long with these. */
const mostUpdates = 500
const daySeconds = 86_400

/**
 * @param hasServer whether there is a server with this id; what is known of others is removed
 * @param now milliseconds since 1970
 */
export function openWaitingUpdates(
  store: Store,
  { hasServer, now }: { hasServer: (id: number) => boolean; now: () => number },
): WaitingUpdates {
  const { saved, save } = keyedTable<WaitingRow, number>(
    store,
    {
      name: 'waiting_updates',
      columns: [
        { name: 'server_id', type: 'INTEGER', unique: true },
        { name: 'since', type: 'JSON' },
      ],
    },
    ({ server_id }) => server_id,
  )

  return {
    seen(serverId, names) {
      const before = new Map(Object.entries(saved().get(serverId)?.since ?? {}))
      const seconds = Math.floor(now() / 1000)
      const known = new Set(names)
      // Those that wait already come first: a long list must not drive out the oldest.
      const kept = [...before].filter(([name]) => known.has(name))
      const added = [...known].filter((name) => !before.has(name)).map((name): [string, number] => [name, seconds])
      const since = [...kept, ...added].slice(0, mostUpdates)
      if (since.length !== before.size || kept.length !== before.size) {
        const gone = [...saved().keys()].filter((id) => !hasServer(id))
        const row = { server_id: serverId, since: Object.fromEntries(since) }
        save([[serverId, since.length > 0 ? row : undefined], ...gone.map((id) => [id, undefined] as const)])
      }
      return new Map(since.map(([name, at]) => [name, Math.max(0, seconds - at) / daySeconds]))
    },
  }
}
