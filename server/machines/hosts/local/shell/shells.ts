import { existsSync, readSync, writeSync } from 'node:fs'
import os from 'node:os'
import type { Shell, TerminalSize } from '../../host.ts'
import { endProcessSession } from './processSession.ts'
import { descriptorOf } from './ptyDescriptor.ts'
import { createPtyInput, createPtyOutput } from './ptyStreams.ts'
import { childEnvironment } from './runCommand.ts'

/** The open shells of this machine, so that none of them outlives the server. */
export interface Shells {
  /** @throws Error when node-pty has no binary for this system, or the shell could not be started */
  open(size: TerminalSize): Promise<Shell>
  killAll(): Promise<void>
}

/** @param home the home directory of the shells. Default: that of the user who runs this server */
export function createShells(home?: string): Shells {
  const shells = new Set<Shell>()
  return {
    async open(size) {
      const shell = await openShell(size, home)
      shells.add(shell)
      const kill = () => shell.kill().finally(() => shells.delete(shell))
      // Ends background processes too.
      shell.onExit(kill)
      return { ...shell, kill }
    },
    async killAll() {
      await Promise.all([...shells].map((shell) => shell.kill()))
    },
  }
}

/** Opens the login shell of the user who runs this server. */
async function openShell({ rows, cols }: TerminalSize, home?: string): Promise<Shell> {
  // Imported here, so that everything else works on a system without a binary of it.
  const { spawn } = await import('@lydell/node-pty')
  const environment: Record<string, string> = {
    ...childEnvironment(),
    ...(home && { HOME: home }),
    COLORTERM: 'truecolor',
  }
  const folder = environment.HOME || environment.USERPROFILE || ''
  const [file, args] = shellCommand(environment.SHELL)
  const pty = spawn(file, args, {
    name: 'xterm-256color',
    rows,
    cols,
    cwd: existsSync(folder) ? folder : os.tmpdir(),
    env: environment,
    encoding: null,
  })
  const { fd, isClosed } = descriptorOf(pty)
  const input = createPtyInput(
    isClosed,
    isWindows ? (bytes) => writeByLibrary(pty, bytes) : (bytes) => writeSync(fd, bytes),
  )
  const withAvailableOutput = isWindows
    ? (chunk: Uint8Array) => chunk
    : createPtyOutput(isClosed, (into, offset) => readSync(fd, into, offset, into.length - offset, null))
  // Until there is a listener.
  pty.pause()
  let hasExited = false
  let killing: Promise<void> | undefined
  const exitListeners: (() => void)[] = []
  pty.onExit(() => {
    hasExited = true
    input.stop()
    for (const listener of exitListeners) listener()
  })
  let subscription: { dispose(): void } | undefined

  return {
    onData(listener) {
      subscription?.dispose()
      pty.resume()
      // Typed as text, but bytes with `encoding: null`, as node-pty documents.
      subscription = pty.onData((chunk) => listener(withAvailableOutput(chunk as unknown as Uint8Array)))
    },
    onExit(listener) {
      if (hasExited) listener()
      else exitListeners.push(listener)
    },
    write: input.write,
    pendingInputBytes: input.pendingBytes,
    resize(size) {
      if (!hasExited && !isClosed()) pty.resize(size.cols, size.rows)
    },
    pause: () => pty.pause(),
    resume: () => pty.resume(),
    kill() {
      input.stop()
      // Unread output would keep the terminal open.
      pty.resume()
      // As when no file can be opened any more, in which the processes stand.
      killing ??= endProcessSession(pty).catch(() => pty.kill('SIGKILL'))
      return killing
    },
  }
}

const isWindows = process.platform === 'win32'

function writeByLibrary(pty: { write(text: string): void }, bytes: Uint8Array): number {
  pty.write(Buffer.from(bytes).toString('utf8'))
  return bytes.length
}

/** Login shells of accounts without a login. Whoever opens a shell here may run commands in any case. */
const noLoginShell = /\/(nologin|false|true|sync)$/

/**
 * The server's strict umask keeps its own files private; files made in a shell have the usual permissions. The process
 * also inherits the file descriptors of other terminals, which only bash can close.
 */
const startShell = 'umask 022; exec "$0" -l'
const closeFilesAndStartShell = `for fd in /dev/fd/*; do fd=\${fd##*/}; [ "$fd" -gt 2 ] 2>&- && eval "exec $fd>&-"; done; ${startShell}`

function shellCommand(shell = ''): [file: string, args: string[]] {
  if (isWindows) return [process.env.ComSpec || 'cmd.exe', []]
  const bash = ['/bin/bash', '/usr/bin/bash'].find(existsSync)
  const login = existsSync(shell) && !noLoginShell.test(shell) ? shell : (bash ?? '/bin/sh')
  return bash ? [bash, ['-c', closeFilesAndStartShell, login]] : ['/bin/sh', ['-c', startShell, login]]
}
