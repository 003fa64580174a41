/** What a process holds, in MiB. */
export interface MemorySample {
  rss: number
  /** In objects and buffers that are in use. */
  inUse: number
}

const MiB = 1024 * 1024
const samplesPerMinute = 4
/** Samples of the time in which a server loads what it needs and fills what it keeps. */
const warmUp = 2 * samplesPerMinute
/** Fewer than these, after that, say nothing. */
const fewest = 6 * samplesPerMinute
/** MiB per hour, from the first to the last third of the samples. */
const growthAtMost = 10
/** MiB. What the system gives and takes comes in large pieces. */
const residentGrowthAtMost = 40

/** The samples that `printMemory` printed. */
export function memoryIn(output: string): MemorySample[] {
  return [...output.matchAll(/^memory (\{.*\})$/gm)].map(([, json = '']) => {
    const { rss, inUse } = JSON.parse(json) as MemorySample
    return { rss: rss / MiB, inUse: inUse / MiB }
  })
}

/** How a process's memory went, and what is wrong with it. @param name of the process */
export function checkMemory(name: string, samples: readonly MemorySample[]): { line: string; faults: string[] } {
  const counted = samples.slice(warmUp)
  if (counted.length < fewest) return { line: `${name}: too short a time to judge its memory`, faults: [] }
  const third = Math.floor(counted.length / 3)
  const growth = (kind: keyof MemorySample) =>
    median(counted.slice(-third).map((one) => one[kind])) - median(counted.slice(0, third).map((one) => one[kind]))
  // From the middle of the first to the middle of the last third.
  const hours = (counted.length - third) / samplesPerMinute / 60
  const perHour = growth('inUse') / hours
  const faults = [
    ...(perHour > growthAtMost
      ? [`memory in use grew by ${perHour.toFixed(1)} MiB per hour, not ${growthAtMost}`]
      : []),
    ...(growth('rss') > residentGrowthAtMost ? [`its memory grew by ${growth('rss').toFixed(0)} MiB`] : []),
  ]
  return {
    line: `${name}: in use ${perHour.toFixed(1)} MiB more per hour, rss ${growth('rss').toFixed(1)} MiB more at the end`,
    faults: faults.map((fault) => `${name}: ${fault}.`),
  }
}

const median = (values: number[]) => values.sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0
