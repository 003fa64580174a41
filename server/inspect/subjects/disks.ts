import { z } from 'zod'
import type { DiskItem } from '../../../src/schemas/inspect/disks.ts'
import { failure, shownText } from '../machine/programs.ts'
import { type Subject, sectionsOf } from '../machine/subject.ts'

/** SMART is asked without waking a disk that sleeps. */
const script = String.raw`
printf '\036df\n'
df -Pk 2>/dev/null || df -k
printf '\036inodes\n'
df -Pi 2>/dev/null
printf '\036mounts\n'
cat /proc/mounts 2>/dev/null || mount -p 2>/dev/null
printf '\036devices\n'
lsblk -dbPo NAME,TYPE,SIZE,ROTA,TRAN,SERIAL,MODEL 2>/dev/null
printf '\036mdstat\n'
cat /proc/mdstat 2>/dev/null
printf '\036zpool\n'
zpool list -Hp -o name,health 2>/dev/null
printf '\036btrfs\n'
btrfs filesystem show 2>/dev/null
if command -v smartctl >/dev/null 2>&1; then
  for device in $(smartctl --scan 2>/dev/null | cut -d' ' -f1); do
    printf '\036smart %s\n' "$device"
    smartctl -n standby -j -i -H -A "$device" 2>/dev/null | tr -d '\n'
    echo
  done
fi
`

export const disks: Subject<DiskItem> = {
  name: 'disks',
  freshMs: 15_000,
  async ask(programs) {
    const { stdout, stderr } = await programs.script(script, [], { seconds: 30 })
    const items = parseDisks(stdout)
    if (items.length > 0) return { items }
    if (stdout.trim() === '') throw failure(stderr)
    return { items, text: shownText(stdout) }
  },
}

/** File systems, disks, and those that work as one. */
export function parseDisks(output: string): DiskItem[] {
  const sections = sectionsOf(output)
  const lines = (name: string) => sections.get(name) ?? []
  return [
    ...filesystemsIn(lines('df'), lines('inodes'), lines('mounts')),
    ...devicesIn(lines('devices'), sections),
    ...arraysOfMd(lines('mdstat')),
    ...poolsOfZfs(lines('zpool')),
    ...volumesOfBtrfs(lines('btrfs')),
  ]
}

/** They hold nothing that anybody stores. */
const withoutStorage =
  /^(autofs|binfmt_misc|bpf|cgroup2?|configfs|debugfs|devpts|devtmpfs|efivarfs|fusectl|hugetlbfs|mqueue|nsfs|proc|pstore|rpc_pipefs|securityfs|squashfs|sysfs|tracefs|devfs|fdescfs)$/

/** Characters of a line about a file system: paths and options are as long as a page of memory at most. */
const maxLine = 4096

/** Columns are apart by one or more blanks. */
const words = (line: string) => line.slice(0, maxLine).replace(/\s+/g, ' ')

function filesystemsIn(df: readonly string[], inodes: readonly string[], mounts: readonly string[]): DiskItem[] {
  const mounted = new Map(
    mounts.map((line) => {
      const [device = '', folder = '', type = '', options = ''] = words(line).split(' ')
      return [words(unescaped(folder)), { device: unescaped(device), type, options }]
    }),
  )
  const inodesOf = new Map(dfRows(inodes).map(({ name, size, used }) => [name, { inodes: size, inodes_used: used }]))
  return dfRows(df).flatMap(({ device, name, size, used, free }): DiskItem[] => {
    const { type, options } = mounted.get(name) ?? {}
    if (size === 0 || (type && withoutStorage.test(type))) return []
    const counted = inodesOf.get(name)
    return [
      {
        kind: 'filesystem',
        name,
        device,
        size: size * 1024,
        used: used * 1024,
        free: free * 1024,
        ...(type && { type }),
        ...(options && { options }),
        // Some have no fixed number of them.
        ...(counted && counted.inodes > 0 && counted),
      },
    ]
  })
}

/** `/dev/vda 264212084 14182780 81318484 15% /` behind a heading, in KiB or inodes. */
function dfRows(lines: readonly string[]) {
  return lines.flatMap((line) => {
    const found = /^(.+?) (\d+|-) (\d+|-) (-?\d+|-) (?:\d+%|-) (\/.*)$/.exec(words(line))
    if (!found) return []
    const [, device = '', size, used, free, name = ''] = found
    const numberOf = (text = '') => Math.max(0, Number(text) || 0)
    return [{ device, name, size: numberOf(size), used: numberOf(used), free: numberOf(free) }]
  })
}

/** Blanks in /proc/mounts are `\040`. */
const unescaped = (text: string) =>
  text.replace(/\\(\d{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))

const smart = z.object({
  smart_status: z.object({ passed: z.boolean() }).optional(),
  temperature: z.object({ current: z.number() }).optional(),
  power_on_time: z.object({ hours: z.number() }).optional(),
  model_name: z.string().optional(),
  serial_number: z.string().optional(),
  user_capacity: z.object({ bytes: z.number() }).optional(),
  ata_smart_attributes: z
    .object({ table: z.array(z.object({ id: z.number(), raw: z.object({ value: z.number() }) })) })
    .optional(),
  nvme_smart_health_information_log: z.object({ percentage_used: z.number().optional() }).optional(),
})

/** The number of the attribute for sectors that were replaced. */
const reallocatedId = 5

function devicesIn(lines: readonly string[], sections: ReadonlyMap<string, readonly string[]>): DiskItem[] {
  const devices = new Map<string, DiskItem & { kind: 'device' }>()
  for (const line of lines) {
    const fields = new Map(
      [...line.matchAll(/\b([A-Z]{1,16})="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value.trim()]),
    )
    const name = fields.get('NAME')
    if (!name || fields.get('TYPE') !== 'disk' || fields.get('SIZE') === '0') continue
    const [model, serial, transport] = [fields.get('MODEL'), fields.get('SERIAL'), fields.get('TRAN')]
    devices.set(name, {
      kind: 'device',
      name,
      size: Number(fields.get('SIZE')) || 0,
      is_rotating: fields.get('ROTA') === '1',
      ...(model && { model }),
      ...(serial && { serial }),
      ...(transport && { transport }),
    })
  }
  for (const [section, [text = '']] of sections) {
    const name = /^smart \/dev\/(.+)$/.exec(section)?.[1]
    const said = name === undefined ? undefined : readSmart(text)
    if (name && said) devices.set(name, { kind: 'device', name, ...devices.get(name), ...said })
  }
  return [...devices.values()]
}

function readSmart(text: string): Partial<DiskItem & { kind: 'device' }> | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  const { success, data } = smart.safeParse(value)
  if (!success) return undefined
  const reallocated = data.ata_smart_attributes?.table.find(({ id }) => id === reallocatedId)?.raw.value
  const worn = data.nvme_smart_health_information_log?.percentage_used
  return {
    ...(data.model_name && { model: data.model_name }),
    ...(data.serial_number && { serial: data.serial_number }),
    ...(data.user_capacity && { size: data.user_capacity.bytes }),
    ...(data.smart_status && { healthy: data.smart_status.passed }),
    ...(data.temperature && { temperature: data.temperature.current }),
    ...(data.power_on_time && { hours: data.power_on_time.hours }),
    ...(reallocated !== undefined && { reallocated }),
    ...(worn !== undefined && { worn }),
  }
}

/** `md0 : active raid1 sdb1[1] sda1[0]`, then its blocks with `[2/1] [U_]`, then what goes on. */
function arraysOfMd(lines: readonly string[]): DiskItem[] {
  return lines.flatMap((line, index): DiskItem[] => {
    const [, name, state = '', type = ''] = /^(md\S*) : (\S+(?: \([\w-]+\))?)(?: (raid\d+|linear))?/.exec(line) ?? []
    if (!name) return []
    let end = index + 1
    while (end < lines.length && /^\s/.test(lines[end] ?? '')) end++
    const below = lines.slice(index + 1, end).join('\n')
    const [members = ''] = /\[[U_]+\]/.exec(below) ?? []
    const activity = /((?:recovery|resync|reshape|check)\s*=\s*[\d.]+%)/.exec(below)?.[1]?.replace(/\s+/g, ' ')
    const said = [state, type, members].filter(Boolean).join(' ')
    const is_degraded = members.includes('_') || /inactive/.test(state) || /\(F\)/.test(line)
    return [{ kind: 'raid', name, type: 'md', state: said, is_degraded, ...(activity && { activity }) }]
  })
}

/** `tank	ONLINE`. */
const poolsOfZfs = (lines: readonly string[]): DiskItem[] =>
  lines.flatMap((line): DiskItem[] => {
    const [name = '', state = ''] = line.split('\t')
    return state ? [{ kind: 'raid', name, type: 'zfs', state, is_degraded: state !== 'ONLINE' }] : []
  })

/** `Label: 'data'  uuid: ...`, and below it `*** Some devices missing`. */
const volumesOfBtrfs = (lines: readonly string[]): DiskItem[] =>
  lines
    .join('\n')
    .split(/(?=^Label: )/m)
    .flatMap((block): DiskItem[] => {
      const [, label = '', uuid = ''] = /^Label: (?:'([^']*)'|none)\s+uuid: (\S+)/.exec(block) ?? []
      const devices = Number(/Total devices (\d+)/.exec(block)?.[1] ?? 0)
      if (!uuid || devices < 2) return []
      const is_degraded = /missing/i.test(block)
      const state = is_degraded ? 'devices missing' : `${devices} devices`
      return [{ kind: 'raid', name: label || uuid, type: 'btrfs', state, is_degraded }]
    })
