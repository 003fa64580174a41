import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** What the thread is asked. */
export interface BcryptOrder {
  password: string
  hash: string
}

/** The bundled server is JavaScript, with this program beside it. */
const program = new URL(import.meta.url.endsWith('.ts') ? './bcryptThread.ts' : './bcryptThread.js', import.meta.url)

/**
 * Whether a password has this hash of bcrypt. It takes a tenth of a second of one core in JavaScript, for which the server
 * must not stand still: it has a thread, once for each account that was imported.
 */
export async function verifyBcrypt(password: string, hash: string): Promise<boolean> {
  const order: BcryptOrder = { password, hash }
  const thread = new Worker(program, { workerData: order })
  const [isRight] = await once(thread, 'message')
  return isRight === true
}
