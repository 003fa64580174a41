import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'

/**
 * The text of a file under /proc, or '' when there is none: figures differ from kernel to kernel, and containers mask
 * many of them. Reading is synchronous because the kernel writes these texts from memory within microseconds; a trip
 * through the thread pool costs several times that.
 */
export function readProcText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Like readProcText for files that may ask hardware and take their time, such as sensors. */
export async function readSlowText(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '')
}
