import { z } from 'zod'
import type { NetworkItem } from '../../../src/schemas/inspect/network.ts'
import { failure, type Subject, sectionsOf, shownText } from '../machine/programs.ts'
import { type End, endOf, listenersIn, portsScript, wordsOf } from './ports.ts'

/** FreeBSD and macOS have one `netstat` for what is of `ip` and `ss` on Linux. */
const script = String.raw`
if [ "$(uname -s)" != Linux ]; then
  printf '\036plain\n'
  ifconfig -a
  printf '\036traffic\n'
  netstat -ibnW 2>/dev/null || netstat -ibn
  printf '\036table\n'
  netstat -rnW 2>/dev/null || netstat -rn
  printf '\036connections\n'
  { netstat -anW -p tcp 2>/dev/null || netstat -an -p tcp; } | grep ESTABLISHED | head -n 20000
${portsScript}
  exit
fi
printf '\036addresses\n'
ip -j -s address 2>/dev/null | tr -d '\n' | grep '^\[' || { printf '\036plain\n'; ip address 2>/dev/null || ifconfig -a; }
printf '\n\036routes\n'
ip -j route 2>/dev/null | tr -d '\n' | grep '^\['
printf '\n\036routes6\n'
ip -j -6 route 2>/dev/null | tr -d '\n' | grep '^\['
printf '\n\036open\n'
if command -v ss >/dev/null 2>&1; then
  ss -Htn state established | head -n 20000
else
  netstat -tn 2>/dev/null | sed -n 's/^tcp6* *\(.*\) ESTABLISHED.*/\1/p' | head -n 20000
fi
${portsScript}
`

export const network: Subject<NetworkItem> = {
  name: 'network',
  freshMs: 5000,
  async ask(programs) {
    const { stdout, stderr, stdout_truncated } = await programs.script(script)
    const items = parseNetwork(stdout)
    if (items.length > 0) return { items, ...(stdout_truncated && { truncated: true }) }
    if (stdout.trim() === '') throw failure(stderr)
    return { items, text: shownText(stdout) }
  },
}

/** Interfaces, routes, ports that are listened on, and the other ends of open connections. */
export function parseNetwork(output: string): NetworkItem[] {
  const sections = sectionsOf(output)
  const lines = (name: string) => sections.get(name) ?? []
  return [
    ...interfacesIn(lines('addresses')),
    ...plainInterfaces(lines('plain'), lines('traffic')),
    ...routesIn([...lines('routes'), ...lines('routes6')]),
    ...routesOfNetstat(lines('table')),
    ...listenersIn(sections),
    ...peersIn(lines('open').map((line) => wordsOf(line).slice(2).map(endOf))),
    ...peersIn(lines('connections').map((line) => wordsOf(line).slice(3).map(dottedEnd))),
  ]
}

const counters = z.object({
  bytes: z.number().default(0),
  errors: z.number().default(0),
  dropped: z.number().default(0),
})
const addressed = z.array(
  z.object({
    ifname: z.string(),
    operstate: z.string().default(''),
    address: z.string().optional(),
    mtu: z.int().optional(),
    addr_info: z.array(z.object({ local: z.string().optional(), prefixlen: z.int().optional() })).default([]),
    stats64: z.object({ rx: counters, tx: counters }).optional(),
  }),
)

function interfacesIn(lines: readonly string[]): NetworkItem[] {
  return listOf(lines, addressed).map(({ ifname, operstate, address, mtu, addr_info, stats64 }) => ({
    kind: 'interface',
    name: ifname,
    state: operstate,
    addresses: addr_info.flatMap(({ local, prefixlen }) => (local ? [`${local}/${prefixlen}`] : [])),
    ...(address && { mac: address }),
    ...(mtu !== undefined && { mtu }),
    ...(stats64 && {
      received: stats64.rx.bytes,
      sent: stats64.tx.bytes,
      errors: stats64.rx.errors + stats64.tx.errors,
      dropped: stats64.rx.dropped + stats64.tx.dropped,
    }),
  }))
}

/** How many arrays a machine tells at once: its routes, and those of IPv6. */
const maxArrays = 2

/** The arrays of JSON in these lines; what is anything else is none. */
function listOf<T>(lines: readonly string[], schema: z.ZodType<T[]>): T[] {
  const arrays = lines.filter((line) => line.startsWith('[')).slice(0, maxArrays)
  return arrays.flatMap((line) => {
    try {
      return schema.safeParse(JSON.parse(line)).data ?? []
    } catch {
      return []
    }
  })
}

/** As busybox and `ifconfig` print them: a name at the margin, its addresses below it. */
function plainInterfaces(lines: readonly string[], traffic: readonly string[]): NetworkItem[] {
  const found: (NetworkItem & { kind: 'interface' })[] = []
  const counted = trafficOf(traffic)
  for (const line of lines) {
    const name = /^(?:\d+: )?([\w.@-]+?)(?:@\w+)?:? /.exec(/^\S/.test(line) ? line : '')?.[1]
    if (name) {
      const state = /\bstate (\w+)/.exec(line)?.[1] ?? (/\bUP\b/.test(line) ? 'UP' : 'DOWN')
      const mtu = Number(/\bmtu (\d{1,7})\b/.exec(line)?.[1])
      found.push({ kind: 'interface', name, state, addresses: [], ...(mtu && { mtu }), ...counted.get(name) })
    }
    const current = found.at(-1)
    const [, address, prefix = ''] = /\binet6? (?:addr: ?)?([\da-f.:]+)(?:%\w+)?(\/\d+)?/.exec(line) ?? []
    if (current && address) current.addresses.push(`${address}${prefix || prefixOf(line)}`)
    const mac = /(?:link\/ether|ether|HWaddr) ([\da-fA-F:]{17})/.exec(line)?.[1]
    if (current && mac) current.mac = mac.toLowerCase()
  }
  return found
}

/** `netmask 0xffffff00` and `prefixlen 64` as an ending of the address. */
function prefixOf(line: string): string {
  const [, mask, length] = /\b(?:netmask 0x([\da-f]{8})|prefixlen (\d{1,3}))\b/.exec(line) ?? []
  if (length) return `/${length}`
  return mask ? `/${Number.parseInt(mask, 16).toString(2).replaceAll('0', '').length}` : ''
}

/**
 * What `netstat -ib` of FreeBSD and macOS counts for each interface. An address may be absent from a line: columns are
 * found from the end.
 */
function trafficOf(lines: readonly string[]) {
  const names = wordsOf(lines[0] ?? '')
  // Found once: a heading may be as long as an answer, and so may the lines below it.
  const fromEnd = (name: string) => (names.includes(name) ? names.length - names.indexOf(name) : 0)
  const [received, sent] = [fromEnd('Ibytes'), fromEnd('Obytes')]
  const [errorsIn, errorsOut, dropped] = [fromEnd('Ierrs'), fromEnd('Oerrs'), fromEnd('Idrop')]
  const counted = new Map<string, { received: number; sent: number; errors: number; dropped: number }>()
  for (const line of received ? lines : []) {
    if (!line.includes('<Link#')) continue
    const words = wordsOf(line)
    const at = (place: number) => Number(words[words.length - place]) || 0
    counted.set(words[0] ?? '', {
      received: at(received),
      sent: at(sent),
      errors: at(errorsIn) + at(errorsOut),
      dropped: at(dropped),
    })
  }
  return counted
}

/** `default 192.0.2.1 UGS vtnet0` below a heading that names the columns. */
function routesOfNetstat(lines: readonly string[]): NetworkItem[] {
  let at = -1
  return lines.flatMap((line): NetworkItem[] => {
    const [name = '', gateway = '', ...rest] = wordsOf(line)
    if (name === 'Destination') {
      at = rest.indexOf('Netif')
      return []
    }
    const device = rest[at]
    if (at < 0 || !device) return []
    // Where there is no gateway, the interface itself stands in its place.
    const isGateway = /[.:]/.test(gateway)
    return [{ kind: 'route', name, device, ...(isGateway && { gateway }) }]
  })
}

const routes = z.array(
  z.object({
    dst: z.string(),
    gateway: z.string().optional(),
    dev: z.string().optional(),
    metric: z.int().optional(),
  }),
)

const routesIn = (lines: readonly string[]): NetworkItem[] =>
  listOf(lines, routes).map(({ dst, gateway, dev, metric }) => ({
    kind: 'route',
    name: dst,
    ...(gateway && { gateway }),
    ...(dev && { device: dev }),
    ...(metric !== undefined && { metric }),
  }))

/** @param connections our end of each, and the other one */
function peersIn(connections: readonly (readonly End[])[]): NetworkItem[] {
  const counted = new Map<string, { kind: 'peer'; address: string; port: number; count: number }>()
  for (const [own, other] of connections) {
    if (!own || !other) continue
    const key = `${other.address} ${own.port}`
    const known = counted.get(key) ?? { kind: 'peer', address: other.address, port: own.port, count: 0 }
    known.count++
    counted.set(key, known)
  }
  return [...counted.values()]
}

/** `192.0.2.7.22`, as FreeBSD and macOS print an end. */
function dottedEnd(text: string): End {
  const dot = text.lastIndexOf('.')
  return endOf(`${text.slice(0, dot)}:${text.slice(dot + 1)}`)
}
