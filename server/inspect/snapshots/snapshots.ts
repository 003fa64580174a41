import type { SilenceCause } from '../../../src/schemas/inspect/answer.ts'
import type { ProcessItem } from '../../../src/schemas/inspect/processes.ts'
import { type Snapshot, snapshot, snapshotCounts } from '../../../src/schemas/inspect/snapshot.ts'
import { createPlaceQueue, waitForPlace } from '../../concurrency/placeQueue.ts'
import type { Log } from '../../log.ts'
import { formatBytes } from '../../notifications/serverText.ts'
import type { Person } from '../../person.ts'
import { formatNumber, type Messages, namesText } from '../../site/messages.ts'
import { ApiError, timestamp } from '../../wire/apiCall.ts'
import type { Answer, Inspector } from '../inspector.ts'
import { plainName } from '../machine/programs.ts'
import { subjects } from '../subjects/index.ts'
import { logs } from '../subjects/logs.ts'
import type { SnapshotTable, StoredSnapshot } from './snapshotTable.ts'

/** What machines said of themselves when alarms began. */
export interface Snapshots {
  /** Takes one for an alarm that has just begun, unless its machine is offline. */
  take(alarm: { id: number; server_id: number }): void
  /** Whether one is being taken for an alarm. */
  isPending(alarmId: number): boolean
  has(alarmId: number): boolean
  /** @throws ApiError when the person may not look into the server */
  read(person: Person | undefined, alarmId: number): Snapshot
  /** The most important of it for a message; nothing without one, or for somebody who may not look into the server. */
  linesFor(person: Person, alarmId: number): readonly string[]
  /** To be called before the database is closed: what machines say from then on is not kept. */
  stop(): void
}

interface Services {
  inspector: Pick<Inspector, 'ask' | 'renew' | 'mayLook'>
  /** Whose server it is. */
  ownerOf: (serverId: number) => number
  table: SnapshotTable
  messages: Messages
  /** Waits for some milliseconds. */
  pause: (ms: number) => Promise<unknown>
  log: Pick<Log, 'error'>
  /** Milliseconds since 1970. */
  now: () => number
}

/** Milliseconds in which the alarms of one machine have one snapshot. */
const sharedMs = 60_000
/**
 * How many machines of one person and of all are asked at the same time, when hundreds of alarms begin at once: machines
 * that never answer hold up those of their owner alone. What a machine says a minute later is not of that moment any more.
 */
const places = { perKey: 8, total: 16, waiting: 500, waitMs: 60_000 } as const

/** One that is being taken, or has been in the last minute. */
interface Recent {
  startedAt: number
  alarmIds: number[]
  /** When it is stored. */
  id?: number
}

const none: Snapshot = {
  reason: 'No snapshot was taken with this alarm: its machine was offline, or too many alarms began at the same time.',
}

/** What this version does not understand is left out. */
function readStored({ data, server_id, taken_at }: StoredSnapshot): Snapshot {
  const read = snapshot.safeParse(JSON.parse(data))
  return { ...(read.success ? read.data : none), server_id, at: timestamp(taken_at) }
}

export function createSnapshots({ inspector, ownerOf, table, messages, pause, log, now }: Services): Snapshots {
  const queue = createPlaceQueue(places)
  /** By server, the oldest first. */
  const recent = new Map<number, Recent>()
  const pending = new Set<number>()
  let isStopped = false

  const isRecent = ({ startedAt }: Recent) => Math.abs(now() - startedAt) < sharedMs

  function forgetOld(): void {
    for (const [id, one] of recent) {
      if (isRecent(one)) return
      recent.delete(id)
    }
  }

  function save(serverId: number, one: Recent, taken: object): void {
    one.id = table.add({
      server_id: serverId,
      taken_at: one.startedAt,
      alarm_ids: one.alarmIds,
      data: JSON.stringify(taken),
    })
  }

  async function ask(serverId: number, owner: number, one: Recent): Promise<void> {
    const leave = await waitForPlace(queue, String(owner))
    if (!leave) return finish(one)
    try {
      one.startedAt = now()
      const taken = await takeSnapshot({ inspector, pause }, serverId)
      if (taken.cause !== 'offline' && !isStopped) save(serverId, one, taken)
    } catch (error) {
      if (!isStopped) log.error('The snapshot of an alarm could not be taken:', error)
    } finally {
      leave()
      finish(one)
    }
  }

  function finish({ alarmIds }: Recent): void {
    for (const id of alarmIds) pending.delete(id)
  }

  function share({ id }: Recent, alarmId: number): void {
    try {
      if (id !== undefined) table.share(id, alarmId)
    } catch (error) {
      log.error('The snapshot of an alarm could not be saved:', error)
    }
  }

  return {
    isPending: (alarmId) => pending.has(alarmId),
    has: table.has,
    stop() {
      isStopped = true
    },
    take({ id: alarmId, server_id: serverId }) {
      if (isStopped) return
      forgetOld()
      const known = recent.get(serverId)
      if (known && isRecent(known)) {
        if (!known.alarmIds.some((id) => pending.has(id))) return share(known, alarmId)
        known.alarmIds.push(alarmId)
        pending.add(alarmId)
        return
      }
      const one: Recent = { startedAt: now(), alarmIds: [alarmId] }
      recent.delete(serverId)
      recent.set(serverId, one)
      pending.add(alarmId)
      void ask(serverId, ownerOf(serverId), one)
    },
    read(person, alarmId) {
      const found = table.of(alarmId)
      if (!found) return none
      if (!inspector.mayLook(person, found.server_id)) throw new ApiError('permission denied')
      return readStored(found)
    },
    linesFor(person, alarmId) {
      const found = table.of(alarmId)
      if (!found || !inspector.mayLook(person, found.server_id)) return []
      return snapshotLines(readStored(found), messages)
    },
  }
}

/** Names in a line. */
const perLine = 3

/**
 * A snapshot in three lines at most: what takes the processor, what takes the memory, and full disks with failed units.
 * Messages go to others: of a command they have the name of the program only, without the arguments.
 */
function snapshotLines({ processes, disks, units }: Snapshot, messages: Messages): string[] {
  const percent = (share: number) => formatNumber(share, 'percent', messages.locale())
  const most = (of: (item: ProcessItem) => number, format: (value: number) => string) =>
    (processes?.items ?? [])
      .filter((item) => of(item) > 0)
      .toSorted((one, other) => of(other) - of(one))
      .slice(0, perLine)
      .map((item) => `${programOf(item.command)} ${format(of(item))}`)
      .join(', ')
  const cpu = most(
    (item) => item.cpu,
    (value) => percent(value / 100),
  )
  const memory = most((item) => item.memory, formatBytes)
  const full = (disks?.items ?? [])
    .flatMap((item) => {
      const space = item.kind === 'filesystem' ? item.used + item.free : 0
      return item.kind === 'filesystem' && space > 0 ? [{ name: item.name, share: item.used / space }] : []
    })
    .toSorted((one, other) => other.share - one.share)
    .slice(0, perLine)
    .map(({ name, share: used }) => `${plainName(name)} ${percent(used)}`)
    .join(', ')
  const failed = namesText(messages, units?.items ?? [], perLine, ({ name }) => plainName(name))
  const last = [
    full && messages('snapshot_disks', { disks: full }),
    failed && messages('snapshot_units', { units: failed }),
  ]
  return [
    cpu && messages('snapshot_cpu', { processes: cpu }),
    memory && messages('snapshot_memory', { processes: memory }),
    last.filter(Boolean).join(' · '),
  ].filter((line) => line !== '')
}

/** `postgres` of `/usr/lib/postgresql/16/bin/postgres -D /data`, and of `postgres: writer`. */
function programOf(command: string): string {
  const [first = ''] = command.trim().split(/\s/, 1)
  // Threads of the kernel have slashes in their names: [kworker/0:1].
  const name = first.startsWith('[') ? first.slice(1, -1) : (first.split('/').at(-1) ?? '')
  return plainName(name.replace(/:$/, ''))
}

/** What a machine said of itself at one moment, as it is kept. */
export type Taken = Omit<Snapshot, 'at' | 'server_id'>

/** A machine that says nothing for one of these reasons says nothing about any subject. */
const ofWholeMachine: ReadonlySet<SilenceCause | undefined> = new Set([
  'offline',
  'agent_version',
  'commands_off',
  'platform',
  'timeout',
])

/** Milliseconds over which it is measured what processes take of the processor. */
const measuredMs = 2000

/** Bytes of a snapshot, at most, and characters of the texts in it. */
export const snapshotLimits = { bytes: 65_536, command: 400, message: 1000, text: 2000 } as const

/**
 * Asks a machine what goes on in it. One subject after the other: a machine with an alarm has enough to do. What it does not
 * answer in time is the last that it is asked, or a machine that is stuck would take the place of others for minutes.
 */
async function takeSnapshot(
  { inspector, pause }: Pick<Services, 'pause'> & { inspector: Pick<Inspector, 'ask' | 'renew'> },
  serverId: number,
): Promise<Taken> {
  const first = await inspector.ask(serverId, subjects.processes, undefined)
  if (ofWholeMachine.has(first.cause)) return { reason: first.reason, cause: first.cause, detail: first.detail }
  // What a process takes now is known by looking twice: once tells what it took since its start.
  const measured = first.cause ? undefined : pause(measuredMs)
  let silence: Answer<never> | undefined
  async function unlessSilent<Item>(ask: () => Promise<Answer<Item>>): Promise<Answer<Item>> {
    if (silence) return silence
    const answer = await ask()
    const { reason, cause, detail } = answer
    if (cause === 'timeout') silence = { reason, cause, detail }
    return answer
  }
  const units = await unlessSilent(() => inspector.ask(serverId, subjects.units, undefined))
  const lines = await unlessSilent(() => inspector.ask(serverId, logs, { lines: snapshotCounts.lines }))
  await measured
  if (measured) inspector.renew(serverId)
  const processes =
    measured && !silence ? await unlessSilent(() => inspector.ask(serverId, subjects.processes, undefined)) : first
  const disks = await unlessSilent(() => inspector.ask(serverId, subjects.disks, undefined))
  return fitting({
    processes: kept(processes, topProcesses),
    disks: kept(disks, (items) => [...items]),
    units: kept(units, (items) => items.filter(({ state }) => state === 'failed')),
    logs: kept(lines, (items) =>
      items.map((line) => ({ ...line, message: line.message.slice(0, snapshotLimits.message) })),
    ),
  })
}

/** Without what says how fresh it is. Answers are shared with those who look: they are not changed. */
function kept<Item>({ items = [], text, ...answer }: Answer<Item>, choose: (items: readonly Item[]) => Item[]) {
  const { reason, cause, detail, truncated } = answer
  return {
    items: choose(items),
    ...(text && { text: text.slice(0, snapshotLimits.text) }),
    ...(truncated && { truncated }),
    ...(cause && { reason, cause, detail }),
  }
}

function topProcesses(items: readonly ProcessItem[]): ProcessItem[] {
  const most = (of: (item: ProcessItem) => number) =>
    items.toSorted((one, other) => of(other) - of(one)).slice(0, snapshotCounts.processes)
  const top = new Set([...most(({ cpu }) => cpu), ...most(({ memory }) => memory)])
  return [...top].map((item) => ({ ...item, command: item.command.slice(0, snapshotLimits.command) }))
}

type Parts = Required<Pick<Taken, 'processes' | 'disks' | 'units' | 'logs'>>

/** The same with less of what takes most, until it is small enough. */
function fitting(parts: Parts): Parts {
  const sizeOf = (value: object) => Buffer.byteLength(JSON.stringify(value))
  while (sizeOf(parts) > snapshotLimits.bytes) {
    const largest = Object.values(parts).reduce((one, other) => (sizeOf(other) > sizeOf(one) ? other : one))
    const { items } = largest
    const half = Math.floor(items.length / 2)
    // The last lines of a log are those that matter.
    if (largest === parts.logs) items.splice(0, items.length - half)
    else items.splice(half)
    largest.truncated = true
  }
  return parts
}
