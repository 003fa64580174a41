import type { ProcessItem } from '../../../src/schemas/inspect/processes.ts'
import { failure, type Said, type Subject, sectionsOf, shownText } from '../machine/programs.ts'

/**
 * Numbers are from /proc, because `ps` counts processor time in whole seconds; names of users and commands are from `ps`,
 * of procps or of busybox. Systems without /proc have a `ps` with fractions of seconds.
 */
const script = String.raw`
if [ -r /proc/uptime ]; then
  printf '\036system\n'
  cut -d' ' -f1 /proc/uptime
  getconf CLK_TCK 2>/dev/null || echo 100
  getconf PAGESIZE 2>/dev/null || echo 4096
  sed -n 's/^btime //p' /proc/stat
  printf '\036stat\n'
  cat /proc/[0-9]*/stat 2>/dev/null | sed 's/ (.*) / x /' | cut -d' ' -f1,3,4,14,15,19,20,22,24
  printf '\036ps\n'
  { ps -ww -e -o pid=,user:32=,args= 2>/dev/null || ps -o pid,user,args; } | cut -c1-600
  printf '\036cgroup\n'
  grep -sHE '^(0|1:name=systemd):' /proc/[0-9]*/cgroup
  printf '\036io\n'
  grep -sHE '^(read|write)_bytes' /proc/[0-9]*/io
else
  date +%s
  printf '\036bsd\n'
  ps -axww -o pid= -o ppid= -o user= -o state= -o nice= -o rss= -o etime= -o time= -o command= | cut -c1-700
fi
`

/** Cumulative figures of a process, to be compared with those of the next time. */
interface Counters {
  /** Tells it from another process with the same number. */
  started: string
  cpuSeconds: number
  read?: number
  write?: number
}

export interface SaidOfProcesses extends Said<ProcessItem> {
  /** Seconds by the machine's clock. */
  at: number
  counters: ReadonlyMap<number, Counters>
}

export const processes: Subject<ProcessItem, undefined, SaidOfProcesses> = {
  name: 'processes',
  freshMs: 2000,
  async ask(programs, _query, before) {
    const { stdout, stderr, stdout_truncated } = await programs.script(script)
    const said = parseProcesses(stdout, before)
    if (said.items.length === 0) {
      if (stdout.trim() === '') throw failure(stderr)
      return { ...said, text: shownText(stdout) }
    }
    return stdout_truncated ? { ...said, truncated: true } : said
  },
}

/** @param before what was said the last time: rates are since then */
export function parseProcesses(output: string, before?: SaidOfProcesses): SaidOfProcesses {
  const sections = sectionsOf(output)
  const bsd = sections.get('bsd')
  return bsd ? parseBsd(bsd, Number(output.split('\n', 1)[0]), before) : parseLinux(sections, before)
}

function parseLinux(sections: ReadonlyMap<string, readonly string[]>, before?: SaidOfProcesses): SaidOfProcesses {
  const [uptime = 0, ticks = 100, pageSize = 4096, bootedAt = 0] = (sections.get('system') ?? []).map(Number)
  const names = namesByPid(sections.get('ps') ?? [])
  const owners = ownersByPid(sections.get('cgroup') ?? [])
  const transfers = transfersByPid(sections.get('io') ?? [])
  const counters = new Map<number, Counters>()
  const items: ProcessItem[] = []
  for (const line of sections.get('stat') ?? []) {
    const [pid, state, ppid, user, system, nice, threads, started, pages] = line.split(' ')
    const id = Number(pid)
    const named = names.get(id)
    // Without a name it has ended between the two, or the output was cut; no number is in use twice.
    if (!named || counters.has(id) || pages === undefined || started === undefined || state === undefined) continue
    const cpuSeconds = (Number(user) + Number(system)) / ticks
    const now: Counters = { started, cpuSeconds, ...transfers.get(id) }
    counters.set(id, now)
    items.push({
      pid: id,
      ppid: Number(ppid),
      user: named.user,
      state,
      nice: Number(nice),
      threads: Number(threads),
      memory: Number(pages) * pageSize,
      started_at: Math.round(bootedAt + Number(started) / ticks),
      started,
      command: named.command,
      ...ratesOf(now, { at: uptime, age: uptime - Number(started) / ticks, id, before }),
      ...owners.get(id),
    })
  }
  return { items, at: uptime, counters }
}

interface Moment {
  /** Seconds by the machine's clock. */
  at: number
  /** Seconds since the start of the process. */
  age: number
  id: number
  before: SaidOfProcesses | undefined
}

function ratesOf(
  now: Counters,
  { at, age, id, before }: Moment,
): Pick<ProcessItem, 'cpu' | 'read_speed' | 'write_speed'> {
  const known = before?.counters.get(id)
  const then = known?.started === now.started ? known : undefined
  const seconds = then && before ? at - before.at : age
  const rate = (value = 0, earlier = 0) => (seconds > 0 ? Math.max(0, (value - earlier) / seconds) : 0)
  const speeds = now.read !== undefined && now.write !== undefined && then?.read !== undefined
  return {
    cpu: Math.round(rate(now.cpuSeconds, then?.cpuSeconds) * 1000) / 10,
    ...(speeds && {
      read_speed: Math.round(rate(now.read, then.read)),
      write_speed: Math.round(rate(now.write, then.write)),
    }),
  }
}

function namesByPid(lines: readonly string[]): Map<number, { user: string; command: string }> {
  const named = new Map<number, { user: string; command: string }>()
  for (const line of lines) {
    const [, pid, user, command] = /^\s*(\d+)\s+(\S+)\s+(\S.*)?$/.exec(line) ?? []
    if (pid && user) named.set(Number(pid), { user, command: (command ?? '').trimEnd() })
  }
  return named
}

/** `/proc/12/cgroup:0::/system.slice/nginx.service` of each process. */
function ownersByPid(lines: readonly string[]): Map<number, Pick<ProcessItem, 'unit' | 'container'>> {
  const owners = new Map<number, Pick<ProcessItem, 'unit' | 'container'>>()
  for (const line of lines) {
    const [, pid, path = ''] = /^\/proc\/(\d+)\/cgroup:\d+:[^:]*:(.*)$/.exec(line) ?? []
    if (!pid || path === '/') continue
    const container = /(?:docker|libpod|cri-containerd|crio|lxc)?[-/]([0-9a-f]{64})(?:\.scope)?/
      .exec(path)?.[1]
      ?.slice(0, 12)
    const unit = path.split('/').findLast((part) => /\.(service|scope)$/.test(part))
    const isOfContainer = container !== undefined && unit?.endsWith('.scope')
    if (container || unit) {
      owners.set(Number(pid), { ...(unit && !isOfContainer && { unit }), ...(container && { container }) })
    }
  }
  return owners
}

/** `/proc/12/io:read_bytes: 4096`, for the processes that the machine's user may look into. */
function transfersByPid(lines: readonly string[]): Map<number, { read?: number; write?: number }> {
  const transfers = new Map<number, { read?: number; write?: number }>()
  for (const line of lines) {
    const [, pid, kind, bytes] = /^\/proc\/(\d+)\/io:(read|write)_bytes: (\d+)$/.exec(line) ?? []
    if (pid && kind) transfers.set(Number(pid), { ...transfers.get(Number(pid)), [kind]: Number(bytes) })
  }
  return transfers
}

function parseBsd(lines: readonly string[], at: number, before?: SaidOfProcesses): SaidOfProcesses {
  const counters = new Map<number, Counters>()
  const items: ProcessItem[] = []
  for (const line of lines) {
    const found = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(\S+)\s+(-?\d+)\s+(\d+)\s+([\d:.-]+)\s+([\d:.-]+)\s+(\S.*)?$/.exec(line)
    if (!found) continue
    const [pid = 0, ppid = 0] = found.slice(1).map(Number)
    const [, , , user = '', state = '', nice, kibibytes, elapsed = '', time = '', command = ''] = found
    const age = secondsOf(elapsed)
    const started = String(Math.round(at - age))
    // When it started is known to a second only, which differs from time to time.
    const now: Counters = { started: user, cpuSeconds: secondsOf(time) }
    counters.set(pid, now)
    items.push({
      pid,
      ppid,
      user,
      state: state.slice(0, 1),
      nice: Number(nice),
      memory: Number(kibibytes) * 1024,
      started_at: Number(started),
      command: command.trimEnd(),
      ...ratesOf(now, { at, age, id: pid, before }),
    })
  }
  return { items, at, counters }
}

/** Of `[[days-]hours:]minutes:seconds`, where seconds may have fractions. */
function secondsOf(text: string): number {
  const [clock = '', days = '0'] = text.split('-').reverse()
  return clock.split(':').reduce((sum, part) => sum * 60 + Number(part), 0) + Number(days) * 86_400
}

/** Sends only if `$2` is still the process that was looked at: `$3` is when it started, in ticks, or empty. */
const stillThere = `
if [ -n "$3" ]; then
  now=$(sed 's/ (.*) / x /' "/proc/$2/stat" 2>/dev/null | cut -d' ' -f22)
  [ "$now" = "$3" ] || { echo 'this process has ended' >&2; exit 3; }
fi
`

/** The built-in of the shell: not every machine has the program. */
export const signalScript = `${stillThere}kill -s "$1" "$2"`
export const priorityScript = `${stillThere}renice -n "$1" -p "$2"`
