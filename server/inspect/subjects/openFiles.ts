import type { OpenFile } from '../../../src/schemas/inspect/processes.ts'
import { failure, Silence, type Subject, sectionsOf } from '../machine/programs.ts'
import { listenersIn, portsScript } from './ports.ts'

/** Descriptors of one answer. */
const mostFiles = 2000

/** `$1` is the process. */
const script = String.raw`
if [ -d "/proc/$1/fd" ]; then
  [ -r "/proc/$1/fd" ] || { echo 'only root and its own user may look into this process' >&2; exit 3; }
  printf '\036fd\n'
  ls -l "/proc/$1/fd" | head -n ${mostFiles + 2}
elif [ -r /proc/self/stat ]; then
  echo 'this process has ended' >&2; exit 3
elif command -v lsof >/dev/null 2>&1; then
  printf '\036lsof\n'
  lsof -nP -p "$1" -F fn | head -n ${2 * mostFiles + 2}
else
  exit 127
fi
${portsScript}
`

/** What a process holds open, and the ports on which it listens. */
export const openFiles: Subject<OpenFile, { pid: number }> = {
  name: 'open files',
  freshMs: 3000,
  async ask(programs, { pid }) {
    const { stdout, stderr, exit_code, stdout_truncated } = await programs.script(script, [String(pid)])
    if (exit_code === 127) throw new Silence('no_program', 'lsof is not installed on this machine.', 'lsof')
    if (exit_code === 3 || stdout === '') throw failure(stderr)
    const sections = sectionsOf(stdout)
    // Above the descriptors of Linux is a heading, and each of lsof has two lines.
    const descriptors = Math.max((sections.get('fd')?.length ?? 0) - 1, (sections.get('lsof')?.length ?? 0) / 2)
    const isCut = stdout_truncated || descriptors > mostFiles
    return { items: parseOpenFiles(stdout, pid), ...(isCut && { truncated: true }) }
  },
}

/** @param pid whose ports are meant: the output has those of all processes */
export function parseOpenFiles(output: string, pid: number): OpenFile[] {
  const sections = sectionsOf(output)
  const ports = listenersIn(sections).filter((one) => one.pid === pid)
  return [
    ...ports.map(({ protocol, address, port }): OpenFile => ({ kind: 'port', protocol, address, port })),
    ...[
      ...(sections.get('fd') ?? []).slice(0, mostFiles + 1).flatMap(fileOfProc),
      ...filesOfLsof(sections.get('lsof') ?? []),
    ].sort(pathsFirst),
  ]
}

type HeldFile = OpenFile & { kind: 'file' }

/** Paths before what has none, each by its descriptor. */
const pathsFirst = (one: HeldFile, other: HeldFile) =>
  Number(other.name.startsWith('/')) - Number(one.name.startsWith('/')) ||
  (Number(one.descriptor) || 0) - (Number(other.descriptor) || 0)

/** `lrwx------ 1 root root 64 Nov 29 10:00 3 -> socket:[4026]`. */
function fileOfProc(line: string): HeldFile[] {
  const arrow = line.indexOf(' -> ')
  const descriptor = /(?:^| )(\d{1,10})$/.exec(line.slice(Math.max(0, arrow - 12), Math.max(0, arrow)))?.[1]
  return descriptor ? [{ kind: 'file', descriptor, name: line.slice(arrow + 4) }] : []
}

/** A line `f3` for each descriptor, below it `n/var/log/a`. */
function filesOfLsof(lines: readonly string[]): HeldFile[] {
  let descriptor = ''
  return lines.slice(0, 2 * mostFiles).flatMap((line): HeldFile[] => {
    if (line.startsWith('f')) descriptor = line.slice(1, 17)
    return line.startsWith('n') && descriptor ? [{ kind: 'file', descriptor, name: line.slice(1) }] : []
  })
}
