import { onTestFinished } from 'vitest'
import { type ServerProcess, spawnServer } from './spawnServer.ts'

/** For tests that need it: this machine is watched, as it is without the setting. */
export const watching = { WATCH_THIS_MACHINE: '' }

/**
 * Starts the real server as `spawnServer` does; it is killed when the test is over. It does not watch this machine, for
 * which it would start twenty programs.
 */
export async function startServerProcess(settings: Record<string, string>): Promise<ServerProcess> {
  const started = spawnServer({ WATCH_THIS_MACHINE: 'false', ...settings })
  onTestFinished(async () => (await started).kill('SIGKILL'))
  return started
}

/** Signs in over the network. @returns the status of the reply and its body */
export async function signInAt(address: string, username: string, password: string) {
  const body = JSON.stringify({ username, password })
  const reply = await fetch(`${address}/api/v1/login`, { method: 'POST', body })
  return { status: reply.status, cookies: reply.headers.getSetCookie(), body: (await reply.json()) as unknown }
}
