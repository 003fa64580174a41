import type { ProcessItem } from '../../../src/schemas/inspect/processes.ts'
import type { Snapshot } from '../../../src/schemas/inspect/snapshot.ts'
import { formatBytes } from '../../notifications/serverPlaceholders.ts'
import type { Messages } from '../../site/messages.ts'
import { namesText } from '../../site/namesText.ts'
import { formatNumber } from '../../site/numberFormat.ts'
import { plainName } from '../machine/plainName.ts'

/** Names in a line. */
const perLine = 3

/**
 * A snapshot in three lines at most: what takes the processor, what takes the memory, and full disks with failed units.
 * Messages go to others: of a command they have the name of the program only, without the arguments.
 */
export function snapshotLines({ processes, disks, units }: Snapshot, messages: Messages): string[] {
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
