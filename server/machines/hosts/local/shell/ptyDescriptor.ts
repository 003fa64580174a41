import type { IPty } from '@lydell/node-pty'

/**
 * The only file that uses members of node-pty outside its public API (docs/decisions/node-pty.md). It is written for
 * version 1.1.0; `tests/server/machines/ptyDescriptor.test.ts` fails when another version is installed or lacks them.
 */
interface PrivateMembers {
  /** The stream of the terminal. Once it is destroyed, its file descriptor is closed. */
  _socket?: { destroyed?: unknown }
  /** File descriptor of the terminal. */
  fd?: unknown
}

/** The file descriptor of a pseudo-terminal. */
export interface PtyDescriptor {
  /** Not a number on Windows, where a terminal has none. */
  fd: number
  /** Whether it is closed. Another file may have the same descriptor then, so it must not be used any more. */
  isClosed(): boolean
}

/** @throws Error when the installed version of node-pty lacks the private members */
export function descriptorOf(pty: IPty): PtyDescriptor {
  const { _socket: socket, fd } = pty as IPty & PrivateMembers
  const hasDescriptor = typeof fd === 'number' || process.platform === 'win32'
  if (typeof socket?.destroyed !== 'boolean' || !hasDescriptor) {
    throw new Error('This version of node-pty cannot be used: it has no "fd", or no "_socket" with "destroyed".')
  }
  return { fd: Number(fd), isClosed: () => socket.destroyed === true }
}
