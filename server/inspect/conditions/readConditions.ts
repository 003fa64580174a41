import type { Inspected, InspectedValue } from '../../../src/domain/alerts/metricValue.ts'
import type { ContainerItem } from '../../../src/schemas/inspect/containers.ts'
import type { DiskItem } from '../../../src/schemas/inspect/disks.ts'
import type { PackageItem } from '../../../src/schemas/inspect/packages.ts'
import type { UnitItem } from '../../../src/schemas/inspect/units.ts'
import { plainName } from '../machine/plainName.ts'
import { ownText } from '../machine/programs.ts'

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
