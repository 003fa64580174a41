import { type QuestionKind, questionLimits } from '../../../src/schemas/inspect/question.ts'
import { ApiError } from '../../wire/apiCall.ts'
import { failure, notInstalled, type Programs, Silence } from '../machine/programs.ts'
import { unitName } from '../orders.ts'
import { pathArgument, readPaths } from '../subjects/filePaths.ts'

/** What a server says to a question. */
export interface Told {
  text: string
  exitCode?: number
  isAbsent?: boolean
  truncated?: boolean
  /** Where the text does not tell two answers apart: the bytes of a file and their checksum. */
  size?: number
  checksum?: string
}

/** Asks one server. @throws Silence */
export type Question = (programs: Programs, signal: AbortSignal) => Promise<Told>

const absent: Told = { text: '', isAbsent: true }
/** Bytes that a machine may send: an answer with what stands around it, and all processes, few of which are asked for. */
const mostBytes = { answer: questionLimits.answerBytes + 1024, processes: 524_288 } as const

const options = (signal: AbortSignal, maxBytes: number = mostBytes.answer) => ({
  seconds: questionLimits.readSeconds,
  maxBytes,
  signal,
})

const unitScript = `
if systemctl show --property=Version >/dev/null 2>&1; then
  systemctl show --no-pager --property=LoadState,ActiveState,SubState,UnitFileState -- "$1"
elif command -v rc-service >/dev/null 2>&1; then
  rc-service -e "$1" || exit 0
  rc-service -C "$1" status 2>&1
  exit 0
else
  exit 127
fi
`

function unit(name: string): Question {
  const args = [unitName(name)]
  return async (programs, signal) => {
    const { stdout, stderr, exit_code } = await programs.script(unitScript, args, options(signal))
    if (exit_code === 127)
      throw new Silence('no_program', 'This machine runs neither systemd nor OpenRC.', 'systemd, OpenRC')
    if (exit_code !== 0) throw failure(stderr || stdout)
    return tellUnit(stdout)
  }
}

/** `active (running), enabled`, as systemd has it; the word of OpenRC. */
export function tellUnit(output: string): Told {
  const values = new Map(output.split('\n').map((line) => [line.split('=', 1)[0], line.slice(line.indexOf('=') + 1)]))
  const [load, active, sub, file] = ['LoadState', 'ActiveState', 'SubState', 'UnitFileState'].map((name) =>
    values.get(name),
  )
  if (active === undefined) {
    const word = /status: (\w+)/.exec(output)?.[1]
    return output.trim() === '' ? absent : { text: word ?? output }
  }
  if (load === 'not-found') return absent
  return { text: `${active}${sub ? ` (${sub})` : ''}${file ? `, ${file}` : ''}` }
}

/** The way of the system comes first: some have the programs of another, without its packages. */
const packageScript = `
installed() {
  echo dpkg
  dpkg-query -W -f='\${db:Status-Abbrev} \${Version}\\n' -- "$1" 2>/dev/null
}
if command -v apt-get >/dev/null 2>&1; then installed "$1"
elif command -v rpm >/dev/null 2>&1; then
  echo rpm
  rpm -q --qf '%|EPOCH?{%{EPOCH}:}:{}|%{VERSION}-%{RELEASE}\\n' -- "$1"
elif command -v apk >/dev/null 2>&1; then
  echo apk
  apk info -e -v -- "$1" 2>/dev/null
elif command -v opkg >/dev/null 2>&1; then
  echo opkg
  opkg list-installed "$1" 2>/dev/null
elif command -v pkg >/dev/null 2>&1; then
  echo pkg
  pkg query '%v' "$1" 2>/dev/null
elif command -v dpkg-query >/dev/null 2>&1; then installed "$1"
else exit 127
fi
exit 0
`

/** How each program writes a version; a package may be there in several, or for several architectures. */
const versionIn: Readonly<Record<string, RegExp>> = {
  // Desired state, state: `ii`, `hi`; a package of which only the configuration is left is `rc`.
  dpkg: /^.i. (\S+)$/,
  rpm: /^((?:\d+:)?[\w.+~^]+-[\w.+~^]+)$/,
  apk: /-(\d[^-]*-r\d+)$/,
  opkg: / - (\S+)$/,
  pkg: /^(\S+)$/,
}

function packageNamed(name: string): Question {
  const args = [packageName(name)]
  return async (programs, signal) => {
    const { stdout, exit_code } = await programs.script(packageScript, args, options(signal))
    if (exit_code === 127)
      throw new Silence(
        'no_program',
        'This machine has none of dpkg, rpm, apk, opkg and pkg.',
        'dpkg, rpm, apk, opkg, pkg',
      )
    return tellPackage(stdout)
  }
}

/** The versions, one a line. */
export function tellPackage(output: string): Told {
  const [program = '', ...lines] = output.split('\n')
  const pattern = versionIn[program]
  if (!pattern) return { text: output }
  const versions = new Set(lines.slice(0, 1000).flatMap((line) => pattern.exec(line.slice(0, 512))?.[1] ?? []))
  return versions.size === 0 ? absent : { text: [...versions].sort().join('\n') }
}

/** @throws ApiError */
function packageName(text: string): string {
  if (/^[a-zA-Z\d][\w.+:~@/-]{0,254}$/.test(text)) return text
  throw new ApiError(`${text.slice(0, 64)} is not the name of a package`)
}

/** What asks is told by its own id: it is left out. */
const processScript = `
echo $$
if [ -r /proc/uptime ]; then
  ps -ww -e -o pid=,ppid=,args= 2>/dev/null || ps -o pid,ppid,args
else
  ps -axww -o pid= -o ppid= -o command=
fi
`

const processes =
  (text: string): Question =>
  async (programs, signal) => {
    const { stdout, stderr, exit_code, stdout_truncated } = await programs.script(
      processScript,
      [],
      options(signal, mostBytes.processes),
    )
    if (exit_code !== 0) throw failure(stderr || stdout)
    return { ...tellProcesses(stdout, text), ...(stdout_truncated && { truncated: true }) }
  }

/** Characters of a command. */
const maxCommand = 1024

/** The commands that have a text in them, in any case of its letters; with how many run where these are several. */
export function tellProcesses(output: string, text: string): Told {
  const [own = '', ...lines] = output.split('\n')
  const wanted = text.toLowerCase()
  const counts = new Map<string, number>()
  for (const line of lines) {
    const [, pid, parent, command = ''] = /^\s*(\d+)\s+(\d+)\s(.*)$/.exec(line) ?? []
    if (!pid || pid === own || parent === own || !command.toLowerCase().includes(wanted)) continue
    const shown = command.trim().slice(0, maxCommand)
    counts.set(shown, (counts.get(shown) ?? 0) + 1)
  }
  if (counts.size === 0) return absent
  const found = [...counts].map(([command, count]) => (count > 1 ? `${command} (${count})` : command))
  return { text: found.sort().join('\n') }
}

/** The first line is the size and the checksum of the whole file, as far as it is compared. */
const fileScript = `${readPaths}
[ -e "$1" ] || exit 3
[ -f "$1" ] || { echo 'this is not a file' >&2; exit 1; }
[ -r "$1" ] || { echo 'this file may not be read' >&2; exit 1; }
size=$(head -c ${questionLimits.comparedBytes + 1} < "$1" | wc -c)
[ "$size" -le ${questionLimits.comparedBytes} ] || { echo 'this file has more than 16 MiB' >&2; exit 1; }
sum=$(head -c ${questionLimits.comparedBytes} < "$1" | { sha256sum || sha256 || shasum -a 256; } 2>/dev/null)
echo $size $sum
head -c ${questionLimits.answerBytes} < "$1"
`

function file(path: string): Question {
  const args = [pathArgument(path)]
  return async (programs, signal) => {
    const { stdout, stderr, exit_code } = await programs.script(fileScript, args, options(signal))
    if (exit_code === 3) return absent
    if (exit_code !== 0) throw failure(stderr || stdout)
    return tellFile(stdout)
  }
}

export function tellFile(output: string): Told {
  const end = output.indexOf('\n')
  const [, bytes, checksum] = /^(\d{1,9})(?: ([\da-f]{64}))?/.exec(output.slice(0, Math.min(end, 128))) ?? []
  if (end < 0 || !bytes) throw failure(output.slice(0, 1000))
  const text = output.slice(end + 1)
  const size = Number(bytes)
  const truncated = size > questionLimits.answerBytes
  // What is not UTF-8 was replaced, so that the text is not what there is.
  if (!truncated && !text.includes('\uFFFD')) return { text }
  if (!checksum) throw notInstalled('sha256sum')
  return { text, size, checksum, ...(truncated && { truncated }) }
}

/** The line is an argument of its own; its two outputs come in the order in which it wrote them. */
const command =
  (line: string): Question =>
  async (programs, signal) => {
    const { stdout, exit_code, stdout_truncated } = await programs.script('exec sh -c "$1" 2>&1', [line], {
      seconds: questionLimits.commandSeconds,
      maxBytes: questionLimits.answerBytes,
      signal,
    })
    return { text: stdout, exitCode: exit_code, ...(stdout_truncated && { truncated: true }) }
  }

/** What to ask of each server, by the kind of question. Each throws an ApiError when that is no name or path. */
export const questions: Readonly<Record<QuestionKind, (text: string) => Question>> = {
  unit,
  package: packageNamed,
  process: processes,
  file,
  command,
}
