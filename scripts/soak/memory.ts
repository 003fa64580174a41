/** What a process holds, in MiB. */
export interface MemorySample {
  rss: number
  /** In objects and buffers that are in use. */
  held: number
}

const MiB = 1024 * 1024
/** Samples of the time in which a server loads what it needs and fills what it keeps: two minutes. */
const warmUp = 8
/** Fewer than these, after that, say nothing. */
const fewest = 12
/** MiB. What a series may grow by from its first to its last quarter. */
const growthAtMost = { held: 6, rss: 40 }

/** The samples that `tellMemory` printed. */
export function memoryIn(output: string): MemorySample[] {
  return [...output.matchAll(/^memory (\{.*\})$/gm)].map(([, json = '']) => {
    const { rss, held } = JSON.parse(json) as MemorySample
    return { rss: rss / MiB, held: held / MiB }
  })
}

/** How a process's memory went, and what is wrong with it. @param name of the process */
export function judgeMemory(name: string, samples: readonly MemorySample[]): { line: string; faults: string[] } {
  const counted = samples.slice(warmUp)
  if (counted.length < fewest) return { line: `${name}: too short a time to judge its memory`, faults: [] }
  const quarter = Math.floor(counted.length / 4)
  const growth = (kind: keyof MemorySample) =>
    median(counted.slice(-quarter).map((one) => one[kind])) - median(counted.slice(0, quarter).map((one) => one[kind]))
  const kinds = ['held', 'rss'] as const
  const said = kinds.map((kind) => `${kind} ${growth(kind) < 0 ? '' : '+'}${growth(kind).toFixed(1)} MiB`)
  return {
    line: `${name}: ${said.join(', ')} over ${(counted.length / 4).toFixed(0)} minutes`,
    faults: kinds.flatMap((kind) =>
      growth(kind) > growthAtMost[kind]
        ? [`${name}: ${kind} memory grew by ${growth(kind).toFixed(1)} MiB, at most ${growthAtMost[kind]} are allowed.`]
        : [],
    ),
  }
}

const median = (values: number[]) => values.sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0
