import { onTestFinished } from 'vitest'
import { type ServerProcess, spawnServer } from './spawnServer.ts'

/** Starts the real server as `spawnServer` does; it is killed when the test is over. */
export async function startServerProcess(settings: Record<string, string>): Promise<ServerProcess> {
  const started = spawnServer(settings)
  onTestFinished(async () => (await started).kill('SIGKILL'))
  return started
}

/** Signs in over the network. @returns the status of the reply and its body */
export async function signInAt(address: string, username: string, password: string) {
  const body = JSON.stringify({ username, password })
  const reply = await fetch(`${address}/api/v1/login`, { method: 'POST', body })
  return { status: reply.status, cookies: reply.headers.getSetCookie(), body: (await reply.json()) as unknown }
}
