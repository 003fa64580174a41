import type { Shell, TerminalSize } from '../host.ts'
import { openShell } from './shell.ts'

/** The shells that are open here, so that none outlives the server. */
export interface Shells {
  open(size: TerminalSize): Promise<Shell>
  killAll(): Promise<void>
}

export function createShells(): Shells {
  const open = new Set<Shell>()
  return {
    async open(size) {
      const shell = await openShell(size)
      open.add(shell)
      const kill = () => shell.kill().finally(() => open.delete(shell))
      // What the shell left in the background goes with it.
      shell.onExit(kill)
      return { ...shell, kill }
    },
    async killAll() {
      await Promise.all([...open].map((shell) => shell.kill()))
    },
  }
}
