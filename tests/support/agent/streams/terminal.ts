import { existsSync } from 'node:fs'
import { type IPty, spawn } from '@lydell/node-pty'
import type { ServingAgent } from '../servingAgent.ts'
import type { SessionStream } from './attach.ts'

const shells = ['zsh', 'fish', 'bash', 'sh']
/** Sizes outside are ignored. */
const sizes = { rows: [2, 500], cols: [2, 1000] } as const

const shellPath = () =>
  shells
    .flatMap((name) => ['/usr/local/bin', '/usr/bin', '/bin'].map((folder) => `${folder}/${name}`))
    .find((path) => existsSync(path)) ?? 'sh'

/**
 * Starts a shell at once, and relays it. Its home is that of the agent: what the person who tests has in their profile
 * must not hold it up.
 */
export function openTerminal(
  stream: SessionStream,
  agent: Pick<ServingAgent, 'folder' | 'home' | 'traits' | 'printedBytes'>,
): void {
  const { folder, home, traits } = agent
  const pty = spawn(shellPath(), [], {
    name: 'xterm-256color',
    cwd: folder,
    env: { ...process.env, HOME: home, TERM: 'xterm-256color' },
    encoding: null,
    rows: 24,
    cols: 80,
  })
  let hasExited = false
  pty.onData((data) => {
    // With `encoding: null` it gives bytes, whatever its types say.
    const bytes = data as unknown as Buffer
    agent.printedBytes += bytes.length
    for (let at = 0; at < bytes.length; at += traits.terminalFrameBytes) {
      if (!stream.send(bytes.subarray(at, at + traits.terminalFrameBytes))) pty.pause()
    }
  })
  stream.onDrain(() => pty.resume())
  pty.onExit(() => {
    hasExited = true
    stream.send(Buffer.from('read /dev/ptmx: input/output error'))
    stream.halfClose()
    if (traits.endsGracefully) stream.cancel()
  })
  stream.onFrame((frame) => {
    if (hasExited) return
    if (frame[0] === 0) pty.write(Buffer.from(frame.subarray(1)) as unknown as string)
    if (frame[0] === 1) resize(pty, Buffer.from(frame.subarray(1)).toString())
  })
  stream.onEnd(() => {
    if (!hasExited) pty.kill('SIGKILL')
  })
}

function resize(pty: IPty, text: string): void {
  let size: { Rows?: number; Cols?: number }
  try {
    size = JSON.parse(text)
  } catch {
    return
  }
  const { Rows = 0, Cols = 0 } = size
  const fits = Rows >= sizes.rows[0] && Rows <= sizes.rows[1] && Cols >= sizes.cols[0] && Cols <= sizes.cols[1]
  if (fits) pty.resize(Cols, Rows)
}
