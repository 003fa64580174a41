import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { ServerProcess } from '../../tests/support/server/process/spawnServer.ts'
import { type MemorySample, memoryIn } from './memory.ts'

/** How a server is started whose memory `readMemory` reads. */
export const readableMemory = {
  settings: { MEMORY_ON_SIGNAL: 'true' },
  nodeArgs: ['--expose-gc', '--import', join(import.meta.dirname, 'printMemory.ts')],
}

/** What the server holds after a collection. @throws Error when it does not say so within 30 s */
export async function readMemory(server: ServerProcess): Promise<MemorySample> {
  const count = memoryIn(server.output()).length
  server.kill('SIGUSR2')
  for (let tries = 0; tries < 300; tries++) {
    await wait(100)
    const sample = memoryIn(server.output())[count]
    if (sample) return sample
  }
  throw new Error('The server did not print its memory within 30 s.')
}
