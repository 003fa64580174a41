import type { UnitItem } from '../../../src/schemas/inspect/units.ts'
import { failure, Silence, type Subject, shownText } from '../machine/programs.ts'

/** What is asked of each unit, and the letters in its place: thousands of units have to fit one answer. */
const properties = {
  Id: 'i',
  Description: 'd',
  LoadState: 'l',
  ActiveState: 'a',
  SubState: 's',
  UnitFileState: 'f',
  ActiveEnterTimestamp: 'e',
  MemoryCurrent: 'm',
  NRestarts: 'r',
  MainPID: 'p',
  NextElapseUSecRealtime: 'n',
  NextElapseUSecMonotonic: 'o',
  LastTriggerUSec: 't',
} as const

const shorten = Object.entries(properties)
  .map(([name, letter]) => `s/^${name}=/${letter}=/`)
  .join(';')

const script = `
if systemctl show --property=Version >/dev/null 2>&1; then
  sed -n 's/^btime /b=/p' /proc/stat
  echo
  systemctl show --no-pager --property=${Object.keys(properties).join(',')} \
    '*.service' '*.timer' '*.socket' '*.path' '*.mount' | sed '${shorten}' | grep -vE '^[a-z]=($|\\[not set\\]|n/a|0$)'
elif command -v rc-status >/dev/null 2>&1; then
  echo OpenRC
  rc-status --all --nocolor
elif command -v launchctl >/dev/null 2>&1; then
  echo launchd
  launchctl list
elif [ "$(uname -s)" = FreeBSD ]; then
  echo FreeBSD
  for one in $(service -e); do echo "$one|$("$one" onestatus 2>/dev/null </dev/null | head -n 1)"; done
else
  exit 127
fi
`

export const units: Subject<UnitItem> = {
  name: 'units',
  freshMs: 5000,
  async ask(programs) {
    const { stdout, stderr, exit_code, stdout_truncated } = await programs.script(script)
    if (exit_code === 127)
      throw new Silence('no_program', 'This machine runs neither systemd nor OpenRC.', 'systemd, OpenRC')
    const parse = parserOf[stdout.slice(0, stdout.indexOf('\n'))] ?? parseSystemd
    const items = parse(stdout)
    if (items.length === 0) {
      if (stdout.trim() === '') throw failure(stderr)
      return { items, text: shownText(stdout) }
    }
    return { items, ...(stdout_truncated && { truncated: true }) }
  },
}

/** By the first line; systemd prints none of these. */
const parserOf: Readonly<Record<string, (output: string) => UnitItem[]>> = {
  OpenRC: parseOpenRc,
  launchd: parseLaunchd,
  FreeBSD: parseFreeBsd,
}

/** Blocks of `letter=value`, one a unit, with empty lines between them. */
export function parseSystemd(output: string): UnitItem[] {
  const bootedAt = Number(/^b=(\d{1,12})\n/.exec(output)?.[1])
  return output.split(/\n\n+/).flatMap((block): UnitItem[] => {
    const value = new Map(block.split('\n').map((line) => [line.slice(0, 1), line.slice(2)]))
    const [name, state] = [value.get('i'), value.get('a')]
    // What others name and nobody has installed.
    if (!name || !state || (value.get('l') === 'not-found' && state !== 'failed')) return []
    const moments = { since: value.get('e'), next_run: value.get('n'), last_run: value.get('t') }
    const afterBoot = bootedAt && timespanOf(value.get('o') ?? '')
    const numbers = { memory: value.get('m'), restarts: value.get('r'), pid: value.get('p') }
    return [
      {
        name,
        description: value.get('d') ?? '',
        state,
        sub_state: value.get('s') ?? '',
        ...(value.get('f') && { file_state: value.get('f') }),
        ...(afterBoot && { next_run: new Date((bootedAt + afterBoot) * 1000).toISOString() }),
        ...mapped(moments, momentOf),
        ...mapped(numbers, numberOf),
      },
    ]
  })
}

/** The values that are something. */
function mapped<Key extends string, Value>(
  texts: Record<Key, string | undefined>,
  read: (text: string) => Value | undefined,
): Partial<Record<Key, Value>> {
  const known: Partial<Record<Key, Value>> = {}
  for (const key of Object.keys(texts) as Key[]) {
    const value = read(texts[key] ?? '')
    if (value !== undefined) known[key] = value
  }
  return known
}

/** `Fri 2026-11-27 06:25:12 UTC`. */
function momentOf(text: string): string | undefined {
  const [, date, time] = /(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)/.exec(text) ?? []
  return date && time ? `${date}T${time}Z` : undefined
}

const secondsOfYear = 31_557_600
const timespanUnits: Readonly<Record<string, number>> = {
  y: secondsOfYear,
  month: 2_629_800,
  w: 604_800,
  d: 86_400,
  h: 3600,
  min: 60,
  s: 1,
}

/** Seconds: what is longer would be a time that no date has. */
const longestTimespan = 1000 * secondsOfYear

/** Whole seconds of `1w 2d 3h 4min 5.6s`, as systemd writes how long after the start of the machine; without any, 0. */
function timespanOf(text: string): number {
  const parts = [...text.slice(0, maxWord).matchAll(/(\d{1,6})(?:\.\d+)?(month|min|[ywdhs])(?![a-z])/g)]
  const sum = parts.reduce((sum, [, count, unit = '']) => sum + Number(count) * (timespanUnits[unit] ?? 0), 0)
  return sum > longestTimespan ? 0 : sum
}

/** The largest number of 64 bits stands for none. */
function numberOf(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined
}

/** Characters of a word or of a runlevel: it stands in each of its units. */
const maxWord = 64

/** ` sshd                 [  started  ]` below the name of each runlevel. */
export function parseOpenRc(output: string): UnitItem[] {
  const found = new Map<string, UnitItem>()
  let level = ''
  for (const line of output.split('\n')) {
    level = /^(?:Dynamic )?Runlevel: (.*)$/.exec(line)?.[1]?.trim().slice(0, maxWord) ?? level
    const [, name, inside = ''] = /^\s+(\S+)\s+\[([^\]]*)\]/.exec(line) ?? []
    // Behind the word may be for how long, and how often it was started again.
    const word = /^\w+/.exec(inside.trim().slice(0, maxWord))?.[0]
    if (!name || !word || found.has(name)) continue
    const state = word === 'started' ? 'active' : word === 'crashed' ? 'failed' : 'inactive'
    const isEnabled = !/^(hotplugged|needed\/wanted|manual)$/.test(level)
    found.set(name, {
      name,
      description: level,
      state,
      sub_state: word,
      file_state: isEnabled ? 'enabled' : 'disabled',
    })
  }
  return [...found.values()]
}

/** `812 0 com.openssh.sshd` below a heading: process, exit code (or minus a signal) and name, with tabs between them. */
export function parseLaunchd(output: string): UnitItem[] {
  return output.split('\n').flatMap((line): UnitItem[] => {
    const [process = '', code = '', name] = line.split('\t')
    if (!name || !/^(-|\d{1,10})$/.test(process)) return []
    const isRunning = process !== '-'
    // Many end with another code than 0 and are well: only their owner knows which have failed.
    const sub_state = isRunning ? 'running' : `exit ${code.slice(0, maxWord)}`
    const state = isRunning ? 'active' : 'inactive'
    return [{ name, description: '', state, sub_state, ...(isRunning && { pid: Number(process) }) }]
  })
}

/** `/etc/rc.d/sshd|sshd is running as pid 804.`; what only does something at boot has no status and is left out. */
export function parseFreeBsd(output: string): UnitItem[] {
  return output.split('\n').flatMap((line): UnitItem[] => {
    const [, name, status = ''] = /^\/[^|]*\/([^/|]+)\|(.*)$/.exec(line) ?? []
    const [, isNot, pid] = /\bis (not )?running(?: as pid (\d{1,10}))?/.exec(status) ?? []
    if (!name || !/\bis (not )?running/.test(status)) return []
    const state = isNot ? 'inactive' : 'active'
    const sub_state = isNot ? 'stopped' : 'running'
    return [{ name, description: '', state, sub_state, file_state: 'enabled', ...(pid && { pid: Number(pid) }) }]
  })
}

/** `$1` is what is done, `$2` the unit. */
export const unitScript = `
if systemctl show --property=Version >/dev/null 2>&1; then exec systemctl --no-ask-password "$1" -- "$2"; fi
if command -v launchctl >/dev/null 2>&1; then
  case $1 in
    start) exec launchctl kickstart "system/$2" ;;
    restart) exec launchctl kickstart -k "system/$2" ;;
    stop) exec launchctl kill TERM "system/$2" ;;
    *) exec launchctl "$1" "system/$2" ;;
  esac
fi
if [ "$(uname -s)" = FreeBSD ]; then
  case $1 in enable | disable) exec service "$2" "$1" ;; *) exec service "$2" "one$1" ;; esac
fi
case $1 in
  enable) exec rc-update add "$2" ;;
  disable) exec rc-update del "$2" ;;
  *) exec rc-service "$2" "$1" ;;
esac
`
