import { z } from 'zod'
import { answerLimits } from '../../../src/schemas/inspect/answer.ts'
import type { LogLine, logFile } from '../../../src/schemas/inspect/logs.ts'
import { failure, Silence } from '../machine/programs.ts'
import type { Subject } from '../machine/subject.ts'

export interface LogQuery {
  file?: string
  unit?: string
  priority?: number
  since?: number
  until?: number
  text?: string
  lines?: number
}

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
  const { unit, priority, since, until, text, lines = linesByDefault } = query
  const args = [
    '--no-pager',
    '--quiet',
    '--output=json',
    '--output-fields=MESSAGE,PRIORITY,_SYSTEMD_UNIT,SYSLOG_IDENTIFIER,_PID,UNIT',
    `--lines=${lines}`,
    ...(unit ? [`--unit=${unit}`] : []),
    ...(priority === undefined ? [] : [`--priority=${priority}`]),
    ...(since === undefined ? [] : [`--since=@${since}`]),
    ...(until === undefined ? [] : [`--until=@${until}`]),
    ...(text ? [`--grep=${literal(text)}`, '--case-sensitive=no'] : []),
  ]
  const { stdout, stderr, exit_code, stdout_truncated } = await programs.run('journalctl', args)
  const items = parseJournal(stdout, lines)
  // Nothing found by a search is exit code 1.
  if (items.length === 0 && stderr.trim() !== '' && exit_code !== 0) throw failure(stderr)
  return { items, ...(stdout_truncated && { truncated: true }) }
}

/** The text as a pattern of Perl that means only itself. */
const literal = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

/** Bytes stand for a text that is not UTF-8. */
const journalText = z.union([
  z.string(),
  z.array(z.int()).transform((bytes) => Buffer.from(bytes).toString()),
  z.null().transform(() => ''),
])
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

/** `$1` the file, `$2` how many lines, `$3` what they contain or nothing. */
const fileScript = `
case $1 in *.gz) read=zcat ;; *.xz) read=xzcat ;; *) read=cat ;; esac
[ -f "$1" ] || { echo 'this is not a file' >&2; exit 3; }
[ -r "$1" ] || { echo 'this file may not be read' >&2; exit 3; }
if [ -n "$3" ]; then
  $read "$1" | tr -d '\\000' | grep -iF -e "$3" | tail -n "$2"
elif [ "$read" = cat ]; then
  tail -n "$2" "$1"
else
  $read "$1" | tail -n "$2"
fi
`

async function askFile(programs: Parameters<Ask>[0], file: string, { text = '', lines = linesByDefault }: LogQuery) {
  const args = [file, String(lines), text]
  const { stdout, stderr, exit_code, stdout_truncated } = await programs.script(fileScript, args)
  if (exit_code === 3) throw failure(stderr)
  const items = stdout.split('\n', lines + 1).map((message) => ({ message }))
  // Behind the last end of line is no other line.
  if (items.at(-1)?.message === '') items.pop()
  return { items, ...(stdout_truncated && { truncated: true }) }
}

/** Whether a path is one below /var/log, written plainly. */
export const isLogFile = (path: string) =>
  path.length <= 4096 && path.startsWith('/var/log/') && !/\0|\/\.{1,2}(\/|$)|\/\//.test(path)

const filesScript = `
[ -d /var/log ] || exit 127
find /var/log -type f -exec stat -c '%s %Y %n' {} + 2>/dev/null | head -n 2000
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
