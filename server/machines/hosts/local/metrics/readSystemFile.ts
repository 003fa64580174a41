import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'

/**
 * Reads a file in /proc; '' when it cannot be read, because kernels differ and containers hide many files. Synchronous,
 * because the kernel generates these files within microseconds and the thread pool would take several times as long.
 */
export function readProcFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Reads a file that may be slow, such as that of a sensor; '' when it cannot be read. */
export async function readSlowFile(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '')
}
