import { z } from 'zod'
import { answerLimits } from '../../../src/schemas/inspect/answer.ts'
import type { LogLine, logFile, logQuery } from '../../../src/schemas/inspect/logs.ts'
import { failure, Silence, type Subject } from '../machine/programs.ts'

export type LogQuery = z.output<typeof logQuery>

const linesByDefault = 500

/** The last lines of the journal, or of a file, that fit what was asked. */
export const logs: Subject<LogLine, LogQuery> = {
  name: 'logs',
  freshMs: 2000,
  async ask(programs, query) {
    return query.file === undefined ? askJournal(programs, query) : askFile(programs, query.file, query)
  },
}

type Ask = Subject<LogLine, LogQuery>['ask']

async function askJournal(programs: Parameters<Ask>[0], query: LogQuery) {
  const { unit, priority, since, until, text, lines = linesByDefault, before } = query
  const args = [
    '--no-pager',
    '--quiet',
    // What an answer has no room for are the oldest lines.
    '--reverse',
    '--output=json',
    '--output-fields=MESSAGE,PRIORITY,_SYSTEMD_UNIT,SYSLOG_IDENTIFIER,_PID,UNIT',
    `--lines=${lines}`,
    ...(unit ? [`--unit=${unit}`] : []),
    ...(priority === undefined ? [] : [`--priority=${priority}`]),
    // Of a cursor and times it takes only one; what is older than `since` is left out below.
    ...(before === undefined ? [] : [`--after-cursor=${before}`]),
    ...(since === undefined || before !== undefined ? [] : [`--since=@${since}`]),
    ...(until === undefined || before !== undefined ? [] : [`--until=@${until}`]),
    ...(text ? [`--grep=${literal(text)}`, '--case-sensitive=no'] : []),
  ]
  const { stdout, stderr, exit_code, stdout_truncated } = await programs.run('journalctl', args)
  const printed = stdout_truncated ? stdout.slice(0, stdout.lastIndexOf('\n') + 1) : stdout
  const found = parseJournal(printed, lines).reverse()
  // Nothing found by a search is exit code 1.
  if (found.length === 0 && stderr.trim() !== '' && exit_code !== 0) throw failure(stderr)
  if (found.length === 0 && before === undefined) await refuseUnreadable(programs)
  const items = before === undefined || since === undefined ? found : found.filter((line) => !isOlder(line, since))
  const isAll = items.length < found.length || (found.length < lines && !stdout_truncated)
  const earlier = isAll ? undefined : lastCursor(printed)
  return { items, ...(earlier && { earlier }) }
}

/**
 * As JSON nothing is said of a journal that is not there, or of which this user is shown nothing; in words it is.
 * @throws Silence when not one line of it can be read
 */
async function refuseUnreadable(programs: Parameters<Ask>[0]): Promise<void> {
  const { stdout, stderr } = await programs.run('journalctl', ['--no-pager', '--lines=1'])
  const hasLine = stdout.split('\n').some((line) => line !== '' && !line.startsWith('-- '))
  const [hint] = stderr.trim().split('\n')
  if (hint && !hasLine) throw failure(hint.replace(/^Hint: /, ''))
}

/** @param since seconds since 1970 */
const isOlder = ({ at }: LogLine, since: number) => at !== undefined && Date.parse(at) < since * 1000

/** The place of the last line of an output. */
function lastCursor(output: string): string | undefined {
  const line = output.trimEnd().split('\n').at(-1) ?? ''
  const { data } = journalPlace.safeParse(jsonOf(line))
  return data && isPlace(data.__CURSOR, undefined) ? data.__CURSOR : undefined
}

/** Whether that is a place in a file, or in the journal. */
export const isPlace = (text: string, file: string | undefined) =>
  (file === undefined ? /^[\w=;-]{1,1000}$/ : /^\d{1,15}$/).test(text)

/** The text as a pattern of Perl that means only itself. */
const literal = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

/** Bytes stand for a text that is not UTF-8. */
const journalText = z.union([
  z.string(),
  z.array(z.int()).transform((bytes) => Buffer.from(bytes).toString()),
  z.null().transform(() => ''),
])
const journalPlace = z.object({ __CURSOR: z.string() })
const journalLine = z.object({
  /** Microseconds since 1970: with one digit more it could be a time that no date has. */
  __REALTIME_TIMESTAMP: z.string().regex(/^\d{1,17}$/),
  MESSAGE: journalText.default(''),
  PRIORITY: z.string().optional(),
  _SYSTEMD_UNIT: z.string().optional(),
  UNIT: z.string().optional(),
  SYSLOG_IDENTIFIER: z.string().optional(),
  _PID: z.string().optional(),
})

/**
 * An object of JSON in each line; one that is cut off or odd is shown as it is.
 * @param lines how many are read at most
 */
export function parseJournal(output: string, lines: number = answerLimits.items): LogLine[] {
  return output
    .split('\n', lines)
    .filter((line) => line !== '')
    .map((line) => {
      const { success, data } = journalLine.safeParse(jsonOf(line))
      if (!success) return { message: line }
      const [unit, identifier] = [data.UNIT ?? data._SYSTEMD_UNIT, data.SYSLOG_IDENTIFIER]
      return {
        at: new Date(Number(data.__REALTIME_TIMESTAMP) / 1000).toISOString(),
        message: data.MESSAGE,
        ...(data.PRIORITY && { priority: Number(data.PRIORITY) }),
        ...(unit && { unit }),
        ...(identifier && { identifier }),
        ...(data._PID && { pid: Number(data._PID) }),
      }
    })
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Bytes before a place that are read, and that are searched: the file may be as long as it likes. */
const readBytes = 786_432
const searchedBytes = 33_554_432

/**
 * `$1` the file, `$2` how many lines, `$3` what they contain or nothing, `$4` the place before which they are or nothing.
 * Prints where they begin, then the lines. `dd` finds the place without reading what comes before it. Files that are packed
 * have no places.
 */
const fileScript = `
[ -f "$1" ] || { echo 'this is not a file' >&2; exit 3; }
[ -r "$1" ] || { echo 'this file may not be read' >&2; exit 3; }
case $1 in *.gz) read=zcat ;; *.xz) read=xzcat ;; *) read= ;; esac
if [ -n "$read" ]; then
  echo packed
  if [ -n "$3" ]; then $read "$1" | tr -d '\\000' | grep -iF -e "$3" | tail -n "$2"; else $read "$1" | tail -n "$2"; fi
  exit
fi
size=$(stat -c %s "$1" 2>/dev/null || stat -f %z "$1") || exit 3
end=\${4:-$size}
if [ "$end" -gt "$size" ]; then end=$size; fi
if [ -n "$3" ]; then most=${searchedBytes}; else most=${readBytes}; fi
first=0
if [ "$end" -gt $most ]; then first=$(((end - most) / 4096)); fi
part() {
  dd if="$1" bs=4096 skip=$first count=$(((end + 4095) / 4096 - first)) 2>/dev/null | head -c $((end - first * 4096))
}
piece() {
  if [ $first -gt 0 ]; then part "$1" | tail -n +2; else part "$1"; fi
}
if [ -z "$3" ]; then
  length=$(piece "$1" | tail -n "$2" | wc -c)
  if [ "$length" -gt 0 ]; then echo $((end - length)); else echo $((first * 4096)); fi
  piece "$1" | tail -n "$2"
  exit
fi
hits=$(piece "$1" | tr -d '\\000' | grep -niF -e "$3" | tail -n "$2" | tail -c ${readBytes} | sed '1{/^[0-9][0-9]*:/!d;}')
oldest=\${hits%%:*}
if [ -n "$hits" ] && { [ $(printf '%s\\n' "$hits" | wc -l) -ge "$2" ] || [ \${#hits} -gt $((${readBytes} * 3 / 4)) ]; }; then
  echo $((end - $(piece "$1" | tail -n +"$oldest" | wc -c)))
else
  # The line with which the part began belongs as a whole to what comes before it.
  begin=$((first * 4096))
  if [ $first -gt 0 ]; then begin=$((begin + $(part "$1" | head -n 1 | wc -c))); fi
  if [ $begin -lt "$end" ]; then echo $begin; else echo $((first * 4096)); fi
fi
if [ -n "$hits" ]; then printf '%s\\n' "$hits" | cut -d: -f2-; fi
`

async function askFile(
  programs: Parameters<Ask>[0],
  file: string,
  { text = '', lines = linesByDefault, before = '' }: LogQuery,
) {
  const args = [file, String(lines), text, before]
  const { stdout, stderr, exit_code, stdout_truncated } = await programs.script(fileScript, args)
  if (exit_code === 3) throw failure(stderr)
  const [begin = '', ...found] = stdout.split('\n', lines + 2)
  // Behind the last end of line is no other line.
  if (found.at(-1) === '') found.pop()
  const items = found.map((message) => ({ message }))
  const hasEarlier = isPlace(begin, file) && Number(begin) > 0
  return { items, ...(stdout_truncated && { truncated: true }), ...(hasEarlier && { earlier: begin }) }
}

/** Whether a path is one below /var/log, written plainly. */
export const isLogFile = (path: string) =>
  path.length <= 4096 && path.startsWith('/var/log/') && !/\0|\/\.{1,2}(\/|$)|\/\//.test(path)

const filesScript = `
[ -d /var/log ] || exit 127
if stat -c %s / >/dev/null 2>&1; then
  find /var/log -type f -exec stat -c '%s %Y %n' {} +
else
  find /var/log -type f -exec stat -f '%z %m %N' {} +
fi 2>/dev/null | head -n 2000
`

/** The files below /var/log. */
export const logFiles: Subject<z.output<typeof logFile>> = {
  name: 'log files',
  freshMs: 10_000,
  async ask(programs) {
    const { stdout, exit_code } = await programs.script(filesScript)
    if (exit_code === 127) throw new Silence('platform', 'This machine has no folder /var/log.')
    const items = stdout.split('\n').flatMap((line) => {
      const [, size, changed, path = ''] = /^(\d+) (\d+) (.*)$/.exec(line) ?? []
      // The journal is read by its own program.
      if (!isLogFile(path) || path.startsWith('/var/log/journal/')) return []
      return [{ path, size: Number(size), changed_at: Number(changed) }]
    })
    return { items }
  },
}
