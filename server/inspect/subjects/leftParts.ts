import { pathTextOf } from '../../../src/domain/files/pathText.ts'
import { fileLimits } from '../../../src/schemas/inspect/files.ts'
import { type LeftPart, leftPartLimits, uploadId, uploadPartName } from '../../../src/schemas/inspect/fileUploads.ts'
import { failure } from '../machine/programs.ts'
import type { Subject } from '../machine/subject.ts'
import { pathArgument, readPaths } from './filePaths.ts'

/** By the machine's own clock. What `.for` says comes in hexadecimal digits: it has bytes of any kind. */
const script = `${readPaths}
cd -- "$1" || exit 1
now=$(date +%s)
count=0
for part in ./${uploadPartName('[0-9a-f]'.repeat(16))}; do
  [ -f "$part" ] && [ ! -L "$part" ] || continue
  count=$((count + 1))
  [ "$count" -le ${leftPartLimits.parts + 1} ] || break
  said=$(stat -c '%s %Y' "$part") || continue
  set -- $said 0 0
  if [ -f "$part.rest" ] && [ ! -L "$part.rest" ] && said=$(stat -c '%s %Y' "$part.rest"); then set -- "$1" "$2" $said; fi
  note=
  if [ -f "$part.for" ] && [ ! -L "$part.for" ]; then
    note=$(dd if="$part.for" bs=${leftPartLimits.noteBytes} count=1 2>/dev/null | od -An -v -tx1 | tr -d ' \\n')
  fi
  last=$2
  [ "$4" -le "$last" ] || last=$4
  echo "\${part##*-} $(($1 + $3)) $((now - last)) $note"
done
`

/** The parts of uploads in a folder that nobody has gone on with for a while, the oldest first. */
export const leftParts: Subject<LeftPart, { path: string }> = {
  name: 'left-parts',
  freshMs: 0,
  workShare: 0,
  async ask(programs, { path }) {
    const options = { seconds: fileLimits.readSeconds }
    const { stdout, stderr, exit_code } = await programs.script(script, [pathArgument(path)], options)
    if (exit_code !== 0) throw failure(stderr || stdout)
    const lines = stdout.split('\n').filter((line) => line !== '')
    const items = lines
      .slice(0, leftPartLimits.parts)
      .flatMap((line) => partOf(line) ?? [])
      .filter(({ age }) => age >= leftPartLimits.quietSeconds)
      .sort((one, other) => other.age - one.age)
    return { items, ...(lines.length > leftPartLimits.parts && { truncated: true }) }
  },
}

/** A line of the script; `undefined` for anything else that a machine may say. */
function partOf(line: string): LeftPart | undefined {
  const [id, size = '', age = '', note = ''] = line.split(' ')
  const upload = uploadId.safeParse(id).data
  if (!upload || !/^\d{1,15}$/.test(size) || !/^-?\d{1,15}$/.test(age)) return undefined
  const bytes = Buffer.from(note.slice(0, 2 * leftPartLimits.noteBytes), 'hex')
  const end = bytes.indexOf('\n')
  const person = bytes.subarray(0, Math.max(0, end)).toString()
  const name = bytes.subarray(end + 1)
  const named = end >= 0 && isName(name) && { name: pathTextOf(name) }
  return { upload, size: Number(size), age: Number(age), ...(end > 0 && { person }), ...named }
}

/** Whoever may write into the folder may have written the note: what leads elsewhere is no name of a file in it. */
const isName = (bytes: Buffer) => bytes.length > 0 && !/[\0/]|^\.{1,2}$/.test(bytes.toString('latin1'))
