import { z } from 'zod'
import type { HardwareItem } from '../../../src/schemas/inspect/hardware.ts'
import { failure, type Subject, sectionsOf, shownText } from '../machine/programs.ts'

const script = String.raw`
printf '\036system\n'
for name in sys_vendor product_name product_version board_name bios_version bios_date; do
  read -r value < /sys/class/dmi/id/$name 2>/dev/null && echo "$name: $value"
done 2>/dev/null
echo "kernel: $(uname -sr)"
for name in smbios.system.maker smbios.system.product smbios.bios.version; do
  value=$(kenv -q $name) && echo "$name: $value"
done 2>/dev/null
printf '\036cpu\n'
if lscpu 2>/dev/null; then :
elif [ -r /proc/cpuinfo ]; then
  grep -E '^(model name|Hardware|flags|Features|cpu model|system type)' /proc/cpuinfo | sort -u
else
  sysctl -i hw.model hw.ncpu hw.physmem machdep.cpu.brand_string machdep.cpu.features hw.memsize 2>/dev/null
fi
printf '\036memory\n'
dmidecode -qt memory 2>/dev/null
printf '\036sensors\n'
sensors -j 2>/dev/null | tr -d '\n'
printf '\n\036sysctl\n'
if [ "$(uname -s)" != Linux ]; then sysctl dev.cpu hw.acpi.thermal 2>/dev/null | grep 'temperature: '; fi
printf '\n\036hwmon\n'
for file in /sys/class/hwmon/hwmon*/temp*_input /sys/class/hwmon/hwmon*/fan*_input; do
  [ -r "$file" ] && echo "$(cat "$(dirname "$file")/name" 2>/dev/null)|$(basename "$file" _input)|$(cat "$file" 2>/dev/null)"
done
printf '\036gpu\n'
nvidia-smi --query-gpu=index,name,driver_version,memory.used,memory.total,utilization.gpu,temperature.gpu,power.draw --format=csv,noheader 2>/dev/null
printf '\036pci\n'
lspci 2>/dev/null | grep -E 'VGA|3D|Display'
printf '\036pciconf\n'
pciconf -lv 2>/dev/null | grep -B 3 'class *= display'
printf '\036apcupsd\n'
apcaccess -u 2>/dev/null
printf '\036nut\n'
for ups in $(upsc -l 2>/dev/null); do echo "ups: $ups"; upsc "$ups" 2>/dev/null; done
`

export const hardware: Subject<HardwareItem> = {
  name: 'hardware',
  freshMs: 15_000,
  async ask(programs) {
    const { stdout, stderr } = await programs.script(script, [], { seconds: 30 })
    const items = parseHardware(stdout)
    if (items.length > 0) return { items }
    if (stdout.trim() === '') throw failure(stderr)
    return { items, text: shownText(stdout) }
  },
}

/** What each program says of the hardware; those that are not there say nothing. */
export function parseHardware(output: string): HardwareItem[] {
  const sections = sectionsOf(output)
  const lines = (name: string) => sections.get(name) ?? []
  const sensors = sensorsIn(lines('sensors'))
  const gpus = graphicsIn(lines('gpu'))
  return [
    ...factsIn(lines('system'), 'system'),
    ...factsIn(lines('cpu'), 'cpu'),
    ...modulesIn(lines('memory')),
    ...(sensors.length > 0 ? sensors : hwmonIn(lines('hwmon'))),
    ...lines('sysctl').flatMap(sysctlSensor),
    ...(gpus.length > 0 ? gpus : [...lines('pci').flatMap(pciGraphics), ...pciconfGraphics(lines('pciconf'))]),
    ...factsIn(lines('apcupsd'), 'ups'),
    ...upsesIn(lines('nut')),
  ]
}

/** Characters of a name, and of a part: it stands in each of its facts. */
const maxName = 60

/** `Model name:   AMD EPYC`. */
function factsIn(lines: readonly string[], kind: HardwareItem['kind'], part?: string): HardwareItem[] {
  return lines.flatMap((line): HardwareItem[] => {
    const colon = line.indexOf(':')
    const [name, value] = [line.slice(0, Math.max(0, colon)).trim(), line.slice(colon + 1).trim()]
    if (!name || name.length > maxName || !value) return []
    return [{ kind, name, value, ...(part && { part: part.slice(0, maxName) }) }]
  })
}

/** What of a memory module is worth a line. */
const moduleFacts = ['Size', 'Type', 'Speed', 'Configured Memory Speed', 'Manufacturer', 'Part Number', 'Serial Number']

/** Blocks that begin with `Memory Device`, each a slot. */
function modulesIn(lines: readonly string[]): HardwareItem[] {
  return lines
    .join('\n')
    .split(/^(?=\S)/m)
    .filter((block) => block.startsWith('Memory Device') && !/Size: No Module Installed/.test(block))
    .flatMap((block) => {
      const part = /^[ \t]*Locator: (.+)$/m.exec(block)?.[1]?.trim()
      return factsIn(block.split('\n'), 'memory', part).filter(({ name }) => moduleFacts.includes(name))
    })
}

const sensorChips = z.record(z.string(), z.record(z.string(), z.unknown()))
const readings = z.record(z.string(), z.number())

/** Chips, in them sensors, in these `temp1_input` and limits. */
function sensorsIn(lines: readonly string[]): HardwareItem[] {
  let value: unknown
  try {
    value = JSON.parse(lines.join(''))
  } catch {
    return []
  }
  const chips = sensorChips.safeParse(value).data ?? {}
  return Object.entries(chips).flatMap(([chip, sensors]) =>
    Object.entries(sensors).flatMap(([name, given]): HardwareItem[] => {
      const [key, reading] =
        Object.entries(readings.safeParse(given).data ?? {}).find(([key]) => key.endsWith('_input')) ?? []
      return key && reading !== undefined
        ? [{ kind: 'sensor', part: chip.slice(0, maxName), name, value: withUnit(key, reading) }]
        : []
    }),
  )
}

/** What sensors measure, by the beginnings of their names. */
function withUnit(key: string, reading: number): string {
  const rounded = Math.round(reading * 100) / 100
  if (key.startsWith('temp')) return `${rounded} °C`
  if (key.startsWith('fan')) return `${rounded} RPM`
  if (key.startsWith('in')) return `${rounded} V`
  if (key.startsWith('power')) return `${rounded} W`
  return key.startsWith('curr') ? `${rounded} A` : String(rounded)
}

/** `coretemp|temp1|42000`: thousandths of degrees. */
const hwmonIn = (lines: readonly string[]): HardwareItem[] =>
  lines.flatMap((line): HardwareItem[] => {
    const [part = '', name = '', reading = ''] = line.split('|')
    if (!/^-?\d+$/.test(reading)) return []
    const value = name.startsWith('temp') ? Number(reading) / 1000 : Number(reading)
    return [{ kind: 'sensor', part, name, value: withUnit(name, value) }]
  })

/** `dev.cpu.0.temperature: 45.0C`. */
function sysctlSensor(line: string): HardwareItem[] {
  const [, part, reading] = /^([\w.]{1,60})\.temperature: (-?\d{1,4}(?:\.\d)?)C$/.exec(line.trim()) ?? []
  return part ? [{ kind: 'sensor', part, name: 'temperature', value: withUnit('temp', Number(reading)) }] : []
}

const graphicsFacts = ['Driver', 'Memory used', 'Memory', 'Utilization', 'Temperature', 'Power']

/** `0, NVIDIA L4, 550.54.15, 512 MiB, 23034 MiB, 3 %, 41, 28.03 W`. */
const graphicsIn = (lines: readonly string[]): HardwareItem[] =>
  lines.flatMap((line): HardwareItem[] => {
    const [index = '', model = '', ...values] = line.split(', ')
    if (!/^\d+$/.test(index) || values.length !== graphicsFacts.length) return []
    return graphicsFacts.map((name, at) => ({ kind: 'gpu', part: `${index}: ${model}`, name, value: values[at] ?? '' }))
  })

/** `00:02.0 VGA compatible controller: Intel Corporation UHD Graphics 630`. */
function pciGraphics(line: string): HardwareItem[] {
  const [, name, value] = /^[\da-f.:]+ ([^:]+): (.+)$/.exec(line) ?? []
  return name && value ? [{ kind: 'gpu', name, value }] : []
}

/** `vgapci0@pci0:0:2:0: class=0x030000`, below it `vendor = 'Intel Corporation'` and `device = 'UHD Graphics 630'`. */
const pciconfGraphics = (lines: readonly string[]): HardwareItem[] =>
  lines
    .join('\n')
    .split(/^(?=\S)/m)
    .flatMap((block): HardwareItem[] => {
      const of = (name: string) => new RegExp(`^ +${name} += '([^'\n]+)'`, 'm').exec(block)?.[1] ?? ''
      const value = `${of('vendor')} ${of('device')}`.trim()
      return value ? [{ kind: 'gpu', name: /^[^@\s]{1,60}/.exec(block)?.[0] ?? 'display', value }] : []
    })

/** Facts behind a line `ups: name`. */
function upsesIn(lines: readonly string[]): HardwareItem[] {
  let part = ''
  return lines.flatMap((line) => {
    part = /^ups: (\S+)$/.exec(line)?.[1] ?? part
    return line.startsWith('ups: ') ? [] : factsIn([line], 'ups', part)
  })
}
