import type { SilenceCause } from '../../../src/schemas/inspect/answer.ts'
import type { ProcessItem } from '../../../src/schemas/inspect/processes.ts'
import { type Snapshot, snapshotCounts } from '../../../src/schemas/inspect/snapshot.ts'
import type { Inspector } from '../inspector.ts'
import type { Answer } from '../polls.ts'
import { subjects } from '../subjects/index.ts'
import { logs } from '../subjects/logs.ts'

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

interface Services {
  inspector: Pick<Inspector, 'ask' | 'renew'>
  /** Waits for some milliseconds. */
  pause: (ms: number) => Promise<unknown>
}

/**
 * Asks a machine what goes on in it. One subject after the other: a machine with an alarm has enough to do. What it does not
 * answer in time is the last that it is asked, or a machine that is stuck would take the place of others for minutes.
 */
export async function takeSnapshot({ inspector, pause }: Services, serverId: number): Promise<Taken> {
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
