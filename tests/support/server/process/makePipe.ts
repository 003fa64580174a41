import { execFileSync } from 'node:child_process'

/** Makes a named pipe, which Node itself cannot. */
export function makePipe(path: string): void {
  execFileSync('/bin/sh', ['-c', 'mkfifo "$1"', 'sh', path])
}
