import { z } from 'zod'
import type { DiskItem } from '../../../src/schemas/inspect/hardware.ts'
import { failure, type Subject, sectionsOf, shownText } from '../machine/programs.ts'
import { wordsOf } from './ports.ts'

/** SMART is asked without waking a disk that sleeps. */
const script = String.raw`
printf '\036df\n'
df -Pk 2>/dev/null || df -k
printf '\036inodes\n'
if [ "$(uname -s)" = Linux ]; then df -Pi 2>/dev/null; else df -ik 2>/dev/null; fi
printf '\036mounts\n'
cat /proc/mounts 2>/dev/null || mount -p 2>/dev/null || { printf '\036mount\n'; mount; }
printf '\036devices\n'
lsblk -dbPo NAME,TYPE,SIZE,ROTA,TRAN,SERIAL,MODEL 2>/dev/null
printf '\036geom\n'
geom disk list 2>/dev/null
printf '\036gmirror\n'
gmirror status -s 2>/dev/null
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
    ...filesystemsIn(lines('df'), lines('inodes'), [...mountsIn(lines('mounts')), ...mountsOfMacos(lines('mount'))]),
    ...devicesIn([...disksOfLsblk(lines('devices')), ...disksOfGeom(lines('geom'))], sections),
    ...arraysOfMd(lines('mdstat')),
    ...mirrorsOfGeom(lines('gmirror')),
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

type Mount = readonly [folder: string, { type: string; options: string }]

/** `/dev/sda2 / ext4 rw,relatime 0 0`, of Linux and of `mount -p`. */
const mountsIn = (lines: readonly string[]): Mount[] =>
  lines.map((line) => {
    const [, folder = '', type = '', options = ''] = words(line).split(' ')
    return [words(unescaped(folder)), { type, options }]
  })

/** `/dev/disk3s1s1 on / (apfs, sealed, local, read-only, journaled)`. */
const mountsOfMacos = (lines: readonly string[]): Mount[] =>
  lines.map((line) => {
    const [on, bracket] = [line.indexOf(' on '), line.lastIndexOf(' (')]
    const [type = '', ...options] = line
      .slice(bracket + 2, maxLine)
      .replace(/\)$/, '')
      .split(', ')
    const order = [...options.filter((option) => option === 'read-only').map(() => 'ro'), ...options]
    return [words(line.slice(on + 4, bracket)), { type, options: order.join(',') }]
  })

/** `1 2 3 4% 500 9500 5% /` of systems whose `df -i` has both, behind the device. */
function bsdInodes(line: string) {
  const [, used, free, name = ''] = /\d%? (\d{1,18}) (\d{1,18}) (?:\d+%|-) (\/.*)$/.exec(words(line)) ?? []
  return used === undefined ? [] : [[name, { inodes: Number(used) + Number(free), inodes_used: Number(used) }] as const]
}

function filesystemsIn(df: readonly string[], inodes: readonly string[], mounts: readonly Mount[]): DiskItem[] {
  const mounted = new Map(mounts)
  const hasBoth = /\biused\b/.test(inodes[0] ?? '')
  const inodesOf = new Map(
    hasBoth
      ? inodes.flatMap(bsdInodes)
      : dfRows(inodes).map(({ name, size, used }) => [name, { inodes: size, inodes_used: used }]),
  )
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

type Device = DiskItem & { kind: 'device' }

const disksOfLsblk = (lines: readonly string[]): Device[] =>
  lines.flatMap((line): Device[] => {
    const fields = new Map(
      [...line.matchAll(/\b([A-Z]{1,16})="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value.trim()]),
    )
    const name = fields.get('NAME')
    if (!name || fields.get('TYPE') !== 'disk' || fields.get('SIZE') === '0') return []
    const [model, serial, transport] = [fields.get('MODEL'), fields.get('SERIAL'), fields.get('TRAN')]
    return [
      {
        kind: 'device',
        name,
        size: Number(fields.get('SIZE')) || 0,
        is_rotating: fields.get('ROTA') === '1',
        ...(model && { model }),
        ...(serial && { serial }),
        ...(transport && { transport }),
      },
    ]
  })

/** `Geom name: ada0`, below it `Mediasize: 500107862016 (466G)` and others, of FreeBSD. */
const disksOfGeom = (lines: readonly string[]): Device[] =>
  lines
    .join('\n')
    .split(/(?=^Geom name: )/m)
    .flatMap((block): Device[] => {
      const of = (name: string) => new RegExp(`^ *${name}: (\\S.*)$`, 'm').exec(block)?.[1]?.trim()
      const name = of('Geom name')
      if (!name) return []
      const [model, serial, rotation] = [of('descr'), of('ident'), of('rotationrate')]
      const size = Number.parseInt(of('Mediasize') ?? '', 10) || 0
      // `(null)` stands for none.
      const known = (text: string | undefined) => text !== undefined && text !== '(null)'
      return [
        {
          kind: 'device',
          name,
          size,
          ...(rotation && rotation !== 'unknown' && { is_rotating: rotation !== '0' }),
          ...(known(model) && { model }),
          ...(known(serial) && { serial }),
        },
      ]
    })

function devicesIn(disks: readonly Device[], sections: ReadonlyMap<string, readonly string[]>): DiskItem[] {
  const devices = new Map(disks.map((disk) => [disk.name, disk]))
  for (const [section, [text = '']] of sections) {
    const name = /^smart \/dev\/(.+)$/.exec(section)?.[1]
    const said = name === undefined ? undefined : readSmart(text)
    if (name && said) devices.set(name, { kind: 'device', name, ...devices.get(name), ...said })
  }
  return [...devices.values()]
}

function readSmart(text: string): Partial<Device> | undefined {
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

/** `mirror/gm0 DEGRADED ada0 (ACTIVE)`, a line for each of its disks. */
const mirrorsOfGeom = (lines: readonly string[]): DiskItem[] =>
  [...new Map(lines.map((line) => wordsOf(line).slice(0, 2)).map(([name = '', state = '']) => [name, state]))].flatMap(
    ([name, state]): DiskItem[] =>
      state ? [{ kind: 'raid', name, type: 'gmirror', state, is_degraded: state !== 'COMPLETE' }] : [],
  )

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
