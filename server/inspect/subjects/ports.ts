import type { NetworkItem } from '../../../src/schemas/inspect/network.ts'

/** Prints the ports on which programs listen, for `listenersIn`. */
export const portsScript = String.raw`
if [ "$(uname -s)" = Linux ]; then
  if command -v ss >/dev/null 2>&1; then
    printf '\n\036listening\n'
    ss -Htulpn
  else
    printf '\n\036netstat\n'
    netstat -tulpn 2>/dev/null
  fi
elif command -v sockstat >/dev/null 2>&1; then
  printf '\036sockstat\n'
  sockstat -46lw 2>/dev/null || sockstat -46l
else
  printf '\036lsof ports\n'
  lsof -nP -iTCP -sTCP:LISTEN -iUDP -F pcPn 2>/dev/null
fi
`

type Listener = NetworkItem & { kind: 'listener' }

/** What `portsScript` has printed. */
export function listenersIn(sections: ReadonlyMap<string, readonly string[]>): Listener[] {
  const lines = (name: string) => sections.get(name) ?? []
  return [
    ...listenersOfSs(lines('listening')),
    ...listenersOfNetstat(lines('netstat')),
    ...listenersOfSockstat(lines('sockstat')),
    ...listenersOfLsof(lines('lsof ports')),
  ]
}

/** `tcp LISTEN 0 511 127.0.0.1:4310 0.0.0.0:* users:(("node",pid=10041,fd=22))`. */
const listenersOfSs = (lines: readonly string[]): Listener[] =>
  lines.flatMap((line): Listener[] => {
    const [protocol = '', , , , local = '', , ...users] = line.trim().split(/\s+/)
    const end = endOf(local)
    if (!end || !/^(tcp|udp)/.test(protocol)) return []
    const [, program, pid] = /\("([^"]+)",pid=(\d+)/.exec(users.join(' ')) ?? []
    return [{ kind: 'listener', protocol, ...end, ...(program && { program }), ...(pid && { pid: Number(pid) }) }]
  })

/** `tcp 0 0 0.0.0.0:22 0.0.0.0:* LISTEN 812/sshd`; udp has no state. */
const listenersOfNetstat = (lines: readonly string[]): Listener[] =>
  lines.flatMap((line): Listener[] => {
    const [protocol = '', , , local = '', , ...rest] = line.split(/\s+/)
    const end = endOf(local)
    if (!end || !/^(tcp|udp)6?$/.test(protocol)) return []
    const [, pid, program] = /(?<!\d)(\d{1,10})\/(\S+)/.exec(rest.join(' ')) ?? []
    const named = program && { program, pid: Number(pid) }
    return [{ kind: 'listener', protocol: protocol.replace('6', ''), ...end, ...named }]
  })

/** `root sshd 804 4 tcp4 *:22 *:*`: the name of a program may have blanks. */
const listenersOfSockstat = (lines: readonly string[]): Listener[] =>
  lines.flatMap((line): Listener[] => {
    const words = wordsOf(line)
    const at = words.findIndex((word) => /^(tcp|udp)[46]*$/.test(word))
    const end = endOf(words[at + 1] ?? '')
    const [protocol = '', pid] = [words[at]?.replace(/[46]+$/, ''), Number(words[at - 2])]
    if (at < 4 || !end || !pid) return []
    return [{ kind: 'listener', protocol, ...end, program: words.slice(1, at - 2).join(' '), pid }]
  })

/** Lines `p812`, `csshd`, then `PTCP` and `n*:22` for each port. */
function listenersOfLsof(lines: readonly string[]): Listener[] {
  const said = { p: '', c: '', P: '' }
  return lines.flatMap((line): Listener[] => {
    const [field, value] = [line.slice(0, 1), line.slice(1)]
    if (field === 'p' || field === 'c' || field === 'P') said[field] = value
    const end = field === 'n' ? endOf(value) : undefined
    if (!end || !/^(TCP|UDP)$/.test(said.P)) return []
    return [{ kind: 'listener', protocol: said.P.toLowerCase(), ...end, program: said.c, pid: Number(said.p) || 0 }]
  })
}

/** One end of a connection. */
export type End = { address: string; port: number } | undefined

/** `[::1]:22`, `*:80`, `127.0.0.1%lo:53`. */
export function endOf(text: string): End {
  const [, address, port] = /^(.+):(\d+)$/.exec(text) ?? []
  if (!address || !port) return undefined
  return {
    address: address === '*' ? '::' : address.replace(/%[\w.-]+/, '').replace(/^\[|\]$/g, ''),
    port: Number(port),
  }
}

export const wordsOf = (line: string) => line.trim().split(/\s+/)
