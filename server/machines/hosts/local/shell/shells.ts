import type { Shell, TerminalSize } from '../../host.ts'
import { openShell } from './shell.ts'

/** The shells that are open here, so that none outlives the server. */
export interface Shells {
  open(size: TerminalSize): Promise<Shell>
  killAll(): Promise<void>
}

/** @param home where they begin. Default: the home of the user who runs this server */
export function createShells(home?: string): Shells {
  const open = new Set<Shell>()
  return {
    async open(size) {
      const shell = await openShell(size, home)
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
