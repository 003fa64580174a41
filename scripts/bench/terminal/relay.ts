import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { BenchServer } from '../console/benchServer.ts'

/** A server that behaves as a Nezha server does towards the browser, in a process of its own. */
interface Relay {
  /** `http://127.0.0.1:<port>` */
  address: string
  stop(): Promise<void>
}

/** @param server whose shells and files it relays */
export async function startRelay({ address }: Pick<BenchServer, 'address'>): Promise<Relay> {
  const child = fork(join(import.meta.dirname, 'relayProcess.ts'), [address])
  const ended = once(child, 'exit')
  const [ready] = (await Promise.race([once(child, 'message'), ended.then(() => [])])) as { address: string }[]
  if (!ready) throw new Error('The relay of the bench ended before it was ready.')
  return {
    address: ready.address,
    async stop() {
      child.disconnect()
      await ended
    },
  }
}
