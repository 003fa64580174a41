import { readFileSync } from 'node:fs'

/** Jiffies per second, on all Linux systems. */
const jiffies = 100

/** Processor time of a process so far, in seconds. */
export function processorSeconds(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / jiffies
}

/** Resident memory of a process in MiB. */
export function residentMib(pid: number): number {
  const kib = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]
  return Number(kib) / 1024
}
