import { type ChildProcess, spawn } from 'node:child_process'

/** Kills a process that was started detached, and all that it has started. */
export function killGroup({ pid }: Pick<ChildProcess, 'pid'>): void {
  if (pid === undefined) return
  if (process.platform === 'win32') {
    spawn('taskkill', ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore' }).on('error', () => {})
    return
  }
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended already.
  }
}
