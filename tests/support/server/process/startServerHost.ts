import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../../root.ts'
import { serverEnvironment } from './spawnServer.ts'

/** Messages to the process: start a server with these settings, or stop it. */
export type HostRequest = { id: number; settings: Record<string, string> } | { id: number; stop: true }
export type HostReply = { id: number; address: string } | { id: number; error: string }

export interface HostedServer {
  /** `http://127.0.0.1:<port>` */
  address: string
  /** Everything printed so far by the process, for its other servers too. */
  output(): string
  stop(): Promise<void>
}

export interface ServerHost {
  /** Starts a server on a free port as `spawnServer` does. @throws Error with the sentence for the operator */
  start(settings: Record<string, string>): Promise<HostedServer>
  stop(): Promise<void>
}

/**
 * A process for servers of tests that are not about how a process starts and ends: to load what serves takes most of a
 * start, and is done once. Shells begin in an empty home.
 */
export function startServerHost(): ServerHost {
  const home = mkdtempSync(join(tmpdir(), 'wheelhouse-home-'))
  const child = fork(join(import.meta.dirname, 'serverHost.ts'), {
    cwd: root,
    env: serverEnvironment({ TEST_HOME: home }),
    execArgv: ['--import', join(import.meta.dirname, 'emptyHome.ts')],
    silent: true,
  })
  const ended = once(child, 'exit')
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output += chunk
    })
  }
  const waiting = new Map<number, (reply: HostReply) => void>()
  const failAll = (error: string) => {
    for (const [id, resolve] of waiting) resolve({ id, error })
  }
  child.on('message', (reply: HostReply) => waiting.get(reply.id)?.(reply))
  child.on('exit', () => failAll(`The process of the servers has ended:\n${output}`))

  async function ask(request: HostRequest): Promise<string> {
    const reply = await new Promise<HostReply>((resolve) => {
      waiting.set(request.id, resolve)
      child.send(request)
    })
    waiting.delete(request.id)
    if ('error' in reply) throw new Error(reply.error)
    return reply.address
  }

  let last = 0
  return {
    async start(settings) {
      const id = ++last
      const address = await ask({ id, settings })
      return { address, output: () => output, stop: async () => void (await ask({ id, stop: true })) }
    },
    async stop() {
      child.disconnect()
      await ended
      rmSync(home, { recursive: true, force: true })
    },
  }
}
