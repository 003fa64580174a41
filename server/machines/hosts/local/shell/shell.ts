import { existsSync, readSync, writeSync } from 'node:fs'
import os from 'node:os'
import type { Shell, TerminalSize } from '../../host.ts'
import { freshEnvironment } from './environment.ts'
import { endProcessSession } from './processSession.ts'
import { createPtyInput, type PtySocket } from './ptyInput.ts'
import { gulp } from './ptyOutput.ts'

/**
 * Opens the login shell of the user who runs this server.
 * @param home where it begins. Default: the user's own
 * @throws Error when there is no terminal for this system
 */
export async function openShell({ rows, cols }: TerminalSize, home?: string): Promise<Shell> {
  // Only now: a system for which it was not built has everything but this.
  const { spawn } = await import('@lydell/node-pty')
  const environment: Record<string, string> = {
    ...freshEnvironment(),
    ...(home && { HOME: home }),
    COLORTERM: 'truecolor',
  }
  const folder = environment.HOME || environment.USERPROFILE || ''
  const [file, args] = commandFor(environment.SHELL)
  const pty = spawn(file, args, {
    name: 'xterm-256color',
    rows,
    cols,
    cwd: existsSync(folder) ? folder : os.tmpdir(),
    env: environment,
    encoding: null,
  })
  // Its socket is not in the types, but there is no other way to know when its descriptor is somebody else's.
  const { _socket: socket, fd } = pty as unknown as { _socket: PtySocket; fd: number }
  const input = createPtyInput(
    socket,
    isWindows ? (bytes) => writeByLibrary(pty, bytes) : (bytes) => writeSync(fd, bytes),
  )
  const withMore = isWindows
    ? (piece: Uint8Array) => piece
    : gulp(socket, (into, offset) => readSync(fd, into, offset, into.length - offset, null))
  // Until somebody listens.
  pty.pause()
  let hasExited = false
  let killing: Promise<void> | undefined
  const exits: (() => void)[] = []
  pty.onExit(() => {
    hasExited = true
    input.stop()
    for (const listener of exits) listener()
  })
  let subscription: { dispose(): void } | undefined

  return {
    onData(listener) {
      subscription?.dispose()
      pty.resume()
      // Without an encoding they are bytes, whatever the types say.
      subscription = pty.onData((bytes) => listener(withMore(bytes as unknown as Uint8Array)))
    },
    onExit(listener) {
      if (hasExited) listener()
      else exits.push(listener)
    },
    write: input.write,
    waiting: input.waiting,
    resize(size) {
      if (!hasExited && !socket.destroyed) pty.resize(size.cols, size.rows)
    },
    pause: () => pty.pause(),
    resume: () => pty.resume(),
    kill() {
      input.stop()
      // What it prints from now on is nobody's; unread, it would keep the terminal open.
      pty.resume()
      killing ??= endProcessSession(pty)
      return killing
    },
  }
}

const isWindows = process.platform === 'win32'

function writeByLibrary(pty: { write(text: string): void }, bytes: Uint8Array): number {
  pty.write(Buffer.from(bytes).toString('utf8'))
  return bytes.length
}

/** Shells of accounts that nobody is meant to sign in to. Who got this far may run commands all the same. */
const noShell = /\/(nologin|false|true|sync)$/

/**
 * The server keeps its own files to itself by a strict umask; what people write in a shell is for others too, as
 * anywhere. The terminals of other sessions are open in the process that this one begins in: bash can close them.
 */
const begin = 'umask 022; exec "$0" -l'
const closeAndBegin = `for fd in /dev/fd/*; do fd=\${fd##*/}; [ "$fd" -gt 2 ] 2>&- && eval "exec $fd>&-"; done; ${begin}`

function commandFor(shell = ''): [string, string[]] {
  if (isWindows) return [process.env.ComSpec || 'cmd.exe', []]
  const bash = ['/bin/bash', '/usr/bin/bash'].find(existsSync)
  const login = existsSync(shell) && !noShell.test(shell) ? shell : (bash ?? '/bin/sh')
  return bash ? [bash, ['-c', closeAndBegin, login]] : ['/bin/sh', ['-c', begin, login]]
}
