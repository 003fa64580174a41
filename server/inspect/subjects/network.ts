import { z } from 'zod'
import type { NetworkItem } from '../../../src/schemas/inspect/network.ts'
import { failure, shownText } from '../machine/programs.ts'
import { type Subject, sectionsOf } from '../machine/subject.ts'

const script = String.raw`
printf '\036addresses\n'
ip -j -s address 2>/dev/null | tr -d '\n' | grep '^\[' || { printf '\036plain\n'; ip address 2>/dev/null || ifconfig -a; }
printf '\n\036routes\n'
ip -j route 2>/dev/null | tr -d '\n' | grep '^\['
printf '\n\036routes6\n'
ip -j -6 route 2>/dev/null | tr -d '\n' | grep '^\['
if command -v ss >/dev/null 2>&1; then
  printf '\n\036listening\n'
  ss -Htulpn
  printf '\036open\n'
  ss -Htn state established | head -n 20000
else
  printf '\n\036netstat\n'
  netstat -tulpn 2>/dev/null
fi
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
    ...plainInterfaces(lines('plain')),
    ...routesIn([...lines('routes'), ...lines('routes6')]),
    ...listenersOfSs(lines('listening')),
    ...listenersOfNetstat(lines('netstat')),
    ...peersIn(lines('open')),
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
function plainInterfaces(lines: readonly string[]): NetworkItem[] {
  const found: (NetworkItem & { kind: 'interface' })[] = []
  for (const line of lines) {
    const name = /^(?:\d+: )?([\w.@-]+?)(?:@\w+)?:? /.exec(/^\S/.test(line) ? line : '')?.[1]
    if (name) {
      const state = /\bstate (\w+)/.exec(line)?.[1] ?? (/\bUP\b/.test(line) ? 'UP' : 'DOWN')
      found.push({ kind: 'interface', name, state, addresses: [] })
    }
    const current = found.at(-1)
    const [, address, prefix = ''] = /\binet6? (?:addr: ?)?([\da-f.:]+)(?:%\w+)?(\/\d+)?/.exec(line) ?? []
    if (current && address) current.addresses.push(`${address}${prefix}`)
    const mac = /(?:link\/ether|ether|HWaddr) ([\da-fA-F:]{17})/.exec(line)?.[1]
    if (current && mac) current.mac = mac.toLowerCase()
  }
  return found
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

/** `tcp LISTEN 0 511 127.0.0.1:4310 0.0.0.0:* users:(("node",pid=10041,fd=22))`. */
const listenersOfSs = (lines: readonly string[]): NetworkItem[] =>
  lines.flatMap((line): NetworkItem[] => {
    const [protocol = '', , , , local = '', , ...users] = line.trim().split(/\s+/)
    const end = endOf(local)
    if (!end || !/^(tcp|udp)/.test(protocol)) return []
    const [, program, pid] = /\("([^"]+)",pid=(\d+)/.exec(users.join(' ')) ?? []
    return [{ kind: 'listener', protocol, ...end, ...(program && { program }), ...(pid && { pid: Number(pid) }) }]
  })

/** `tcp 0 0 0.0.0.0:22 0.0.0.0:* LISTEN 812/sshd`; udp has no state. */
const listenersOfNetstat = (lines: readonly string[]): NetworkItem[] =>
  lines.flatMap((line): NetworkItem[] => {
    const [protocol = '', , , local = '', , ...rest] = line.split(/\s+/)
    const end = endOf(local)
    if (!end || !/^(tcp|udp)6?$/.test(protocol)) return []
    const [, pid, program] = /(?<!\d)(\d{1,10})\/(\S+)/.exec(rest.join(' ')) ?? []
    const named = program && { program, pid: Number(pid) }
    return [{ kind: 'listener', protocol: protocol.replace('6', ''), ...end, ...named }]
  })

/** `0 0 10.0.0.5:443 203.0.113.9:51234`: our end is the third word. */
function peersIn(lines: readonly string[]): NetworkItem[] {
  const counted = new Map<string, { kind: 'peer'; address: string; port: number; count: number }>()
  for (const line of lines) {
    const [, , local = '', remote = ''] = line.trim().split(/\s+/)
    const [own, other] = [endOf(local), endOf(remote)]
    if (!own || !other) continue
    const key = `${other.address} ${own.port}`
    const known = counted.get(key) ?? { kind: 'peer', address: other.address, port: own.port, count: 0 }
    known.count++
    counted.set(key, known)
  }
  return [...counted.values()]
}

/** `[::1]:22`, `*:80`, `127.0.0.1%lo:53`. */
function endOf(text: string): { address: string; port: number } | undefined {
  const [, address, port] = /^(.+):(\d+)$/.exec(text) ?? []
  if (!address || !port) return undefined
  return {
    address: address === '*' ? '::' : address.replace(/%[\w.-]+/, '').replace(/^\[|\]$/g, ''),
    port: Number(port),
  }
}
