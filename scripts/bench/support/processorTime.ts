import { readFileSync } from 'node:fs'

/** Jiffies per second, on all Linux systems. */
const jiffies = 100

/** @returns processor time of this process so far, in milliseconds */
function processorMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Work for a bench that counts processor time: what other programs take does not count. */
export const inProcessorTime = (work: () => unknown) => async () => {
  const before = processorMs()
  await work()
  return { overriddenDuration: processorMs() - before }
}

/** @returns processor time of a process so far, in seconds */
export function processorSeconds(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / jiffies
}

/** @returns resident memory of a process, in MiB */
export function residentMib(pid: number): number {
  const kib = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]
  return Number(kib) / 1024
}

/** Watches the turns of the event loop. @returns a function that ends it and gives the most processor time of one, in ms */
export function watchTurns(): () => number {
  let longest = 0
  let isOver = false
  let last = processorMs()
  const watch = () => {
    const now = processorMs()
    longest = Math.max(longest, now - last)
    last = now
    if (!isOver) setImmediate(watch)
  }
  setImmediate(watch)
  return () => {
    isOver = true
    return longest
  }
}
