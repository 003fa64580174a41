import type { z } from 'zod'
import type {
  ContainerAct,
  ContainerEngine,
  ContainerItem,
  containerLine,
} from '../../../src/schemas/inspect/containers.ts'
import { failure, type Programs, type Said, Silence, type Subject, sectionsOf, shownText } from '../machine/programs.ts'

/**
 * Words of templates that docker and podman share. What is not in `ps` of every version comes from `inspect`, where podman
 * before 4.0 has another word for the health and ends at ours: what it has printed until then is thrown away. What an
 * engine prints that misses one container, which has just been removed, is kept. `stats` of that podman knows no
 * `--no-trunc`. The label is asked for as JSON: an image may bring any, with words in it that look like those of the engine
 * about other containers. `$1` says whether what they take is asked for.
 */
const script = String.raw`
found= answered=
for engine in docker podman; do
  command -v $engine >/dev/null 2>&1 || continue
  found=1
  printf '\036%s ps\n' $engine
  $engine ps -a --no-trunc --format '{{.ID}}\t{{.Names}}\t{{.Image}}\t{{.Status}}\t{{.Ports}}' || continue
  answered=1
  ids=$($engine ps -aq --no-trunc) && [ -n "$ids" ] || continue
  printf '\036%s inspect\n' $engine
  before='{{.Id}}\t{{.State.Status}}\t{{.RestartCount}}\t{{json .State.StartedAt}}\t{{json (index .Config.Labels "com.docker.compose.project")}}\t'
  behind='\t{{.Config.Image}}\t{{.Image}}'
  health='{{if .State.Health}}{{.State.Health.Status}}{{end}}'
  details=$($engine inspect --type container --format "$before$health$behind" $ids 2>/dev/null) ||
    { older=$($engine inspect --type container --format "$before{{.State.Healthcheck.Status}}$behind" $ids 2>/dev/null) &&
      details=$older; }
  printf '%s\n' "$details"
  printf '\036%s images\n' $engine
  $engine images --no-trunc --format '{{.Repository}}:{{.Tag}}\t{{.ID}}'
  [ -n "$1" ] || continue
  printf '\036%s stats\n' $engine
  $engine stats --no-stream --format '{{.ID}}\t{{.CPUPerc}}\t{{.MemUsage}}\t{{.NetIO}}'
done
[ -n "$found" ] || exit 127
[ -n "$answered" ] || exit 1
`

export const containers: Subject<ContainerItem> = {
  name: 'containers',
  freshMs: 3000,
  // The engine measures for two seconds, in which nothing works.
  workShare: 0.05,
  async ask(programs, _query, before) {
    // Measuring takes the engine two seconds, for which the first look does not wait; alert rules need none of it.
    const args = before ? ['measured'] : []
    const { stdout, stderr, exit_code, stdout_truncated } = await programs.script(script, args, { seconds: 30 })
    if (exit_code === 127)
      throw new Silence('no_program', 'Neither docker nor podman is installed on this machine.', 'docker, podman')
    if (exit_code === 1) throw failure(stderr)
    const items = parseContainers(stdout)
    return { items, ...(stdout_truncated && { truncated: true }) }
  },
}

/**
 * The containers of each engine; running ones have what they take. A `docker` that is podman under another name, as
 * `podman-docker` installs it, has the same ones.
 */
export function parseContainers(output: string): ContainerItem[] {
  const sections = sectionsOf(output)
  const known = new Set<string>()
  return (['docker', 'podman'] as const).flatMap((engine) => {
    const details = byId(sections.get(`${engine} inspect`))
    const stats = byId(sections.get(`${engine} stats`))
    const images = imagesIn(sections.get(`${engine} images`))
    return (sections.get(`${engine} ps`) ?? []).flatMap((line): ContainerItem[] => {
      const [id = '', name, image = '', status = '', ports = ''] = line.split('\t')
      if (!/^[0-9a-f]{12,64}$/.test(id) || name === undefined || known.has(id)) return []
      known.add(id)
      const [state, restarts, started, label, health = '', named = '', made] = details.get(id) ?? []
      const project = labelOf(label)
      const [cpu, memory, network] = stats.get(id) ?? []
      const [used, limit] = sizesOf(memory)
      const [received, sent] = sizesOf(network)
      const startedAt = startOf(started)
      return [
        {
          engine,
          id: id.slice(0, 12),
          name,
          // A name that another image has got by now is a number here.
          image: named || image,
          ...(isOld(named, made, images) && { is_old: true }),
          state: state || stateOf(status),
          status,
          ports,
          restarts: Number(restarts) || 0,
          ...(health && { health }),
          ...(project && { project }),
          ...(startedAt && { started_at: startedAt }),
          ...(cpu !== undefined && { cpu: Number.parseFloat(cpu) || 0 }),
          ...(used !== undefined && { memory: used, memory_limit: limit ?? 0 }),
          ...(received !== undefined && { received, sent: sent ?? 0 }),
        },
      ]
    })
  })
}

/** Characters of a detail: it stands in each line with its id. */
const maxWord = 256

/** What stands behind the id in each line; `stats` of podman shortens ids. */
function byId(lines: readonly string[] = []): { get(id: string): readonly string[] | undefined } {
  const wordsOf = (line: string) =>
    line
      .split('\t')
      .slice(1)
      .map((word) => word.slice(0, maxWord))
  const known = new Map(lines.map((line) => [line.slice(0, 12), wordsOf(line)]))
  return { get: (id) => known.get(id.slice(0, 12)) }
}

/** The numbers of the images that have these names on the machine. */
function imagesIn(lines: readonly string[] = []): ReadonlyMap<string, string> {
  return new Map(
    lines.map((line) => {
      const [name = '', id = ''] = line.split('\t')
      return [name, plainId(id)]
    }),
  )
}

const plainId = (id: string) => id.trim().replace(/^sha256:/, '')

/** Whether another image has the name from which a container was made: a newer one was pulled or built. */
function isOld(name: string, made: string | undefined, images: ReadonlyMap<string, string>): boolean {
  if (!made) return false
  const current = images.get(/:[^/]*$/.test(name) ? name : `${name}:latest`)
  return current !== undefined && current !== plainId(made)
}

const stateOf = (status: string) => (/^up/i.test(status) ? 'running' : /^exited/i.test(status) ? 'exited' : 'created')

/** Of a label as JSON; of one that is cut off, or missing, nothing. */
function labelOf(text = ''): string | undefined {
  try {
    const label: unknown = JSON.parse(text)
    return typeof label === 'string' ? label : undefined
  } catch {
    return undefined
  }
}

/** `"2026-11-27T08:00:00.123456789Z"`; the year 1 is never. */
function startOf(text = ''): string | undefined {
  const at = Date.parse(text.replaceAll('"', '').replace(/(\.\d{3})\d+/, '$1'))
  return at > 0 ? new Date(at).toISOString() : undefined
}

const powers: Readonly<Record<string, number>> = {
  b: 1,
  kb: 1000,
  mb: 1000 ** 2,
  gb: 1000 ** 3,
  tb: 1000 ** 4,
  kib: 1024,
  mib: 1024 ** 2,
  gib: 1024 ** 3,
  tib: 1024 ** 4,
}

/** `1.2MiB / 23GiB` in bytes; docker and podman differ in their units. */
function sizesOf(text = ''): (number | undefined)[] {
  return text.split('/').map((part) => {
    const [, value, unit = ''] = /^\s*([\d.]+)\s*([kmgt]?i?b)\s*$/i.exec(part) ?? []
    return value === undefined ? undefined : Math.round(Number(value) * (powers[unit.toLowerCase()] ?? 1))
  })
}

/** `$1` the engine, `$2` the container. */
const pullScript = `
image=$("$1" inspect --type container --format '{{.Config.Image}}' "$2") || exit 1
case $image in *@sha256:*) echo "the digest in its name allows no other image: $image" >&2; exit 3 ;; esac
exec "$1" pull -q "$image"
`

/** Seconds that a program may take to stop what runs, and to fetch an image: agents run nothing for longer than 300. */
const seconds = { act: 90, pull: 280 } as const

/** Does something with a container. */
export function runContainerAct({ run, script }: Programs, engine: ContainerEngine, act: ContainerAct, id: string) {
  if (act === 'pull') return script(pullScript, [engine, id], { seconds: seconds.pull })
  return run(engine, [act === 'remove' ? 'rm' : act, id], { seconds: seconds.act })
}

interface OfContainer {
  engine: ContainerEngine
  id: string
  lines?: number
}

const logScript = 'exec "$1" logs --timestamps --tail "$2" "$3" 2>&1'

/** The last lines of the log of one container. */
export const containerLog: Subject<z.output<typeof containerLine>, OfContainer> = {
  name: 'container log',
  freshMs: 2000,
  async ask(programs, { engine, id, lines = 500 }) {
    const { stdout, exit_code, stdout_truncated } = await programs.script(logScript, [engine, String(lines), id])
    if (exit_code !== 0) throw failure(stdout)
    return { items: parseContainerLog(stdout), ...(stdout_truncated && { truncated: true }) }
  },
}

/** Each line with its time; both outputs of the container, in the order of their times. */
export function parseContainerLog(output: string): z.output<typeof containerLine>[] {
  const lines = output.split(/\r?\n/).filter((line) => line !== '')
  const items = lines.map((line) => {
    const [, at, message = ''] = /^(\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)) ?(.*)$/.exec(line) ?? []
    return at ? { at, message } : { message: line }
  })
  return items.some(({ at }) => !at) ? items : items.sort((one, other) => (one.at ?? '').localeCompare(other.at ?? ''))
}

/** What the engine knows of one container. */
export const containerDetails: Subject<never, OfContainer> = {
  name: 'container details',
  freshMs: 2000,
  async ask(programs, { engine, id }): Promise<Said<never>> {
    const { stdout, stderr, exit_code } = await programs.run(engine, ['inspect', '--type', 'container', id])
    if (exit_code !== 0) throw failure(stderr)
    return { items: [], text: shownText(stdout) }
  },
}
