import '../../../../server/start/processLimits.ts'
import { join } from 'node:path'
import packageJson from '../../../../package.json' with { type: 'json' }
import { consoleLog } from '../../../../server/log.ts'
import { readSettings } from '../../../../server/settings.ts'
import type { RunningServer } from '../../../../server/start/runningServer.ts'
import { startServer } from '../../../../server/start/startServer.ts'
import { root } from '../../root.ts'
import type { HostReply, HostRequest } from './startServerHost.ts'

/** A process in which `startServerHost` starts servers, one after the other. It ends with its parent process. */

const servers = new Map<number, RunningServer>()

process.umask(0o077)
process.on('message', async (request: HostRequest) => {
  const { id } = request
  try {
    send({ id, address: 'settings' in request ? await start(id, request.settings) : await stop(id) })
  } catch (error) {
    send({ id, error: String(error) })
  }
})
process.on('disconnect', () => process.exit(0))

const send = (reply: HostReply) => void process.send?.(reply)

async function start(id: number, settings: Record<string, string>): Promise<string> {
  const server = await startServer({
    settings: readSettings({ PORT: '0', ...settings }),
    log: consoleLog,
    version: packageJson.version,
    dist: join(root, 'dist'),
    isTerminal: false,
  })
  servers.set(id, server)
  return new URL(server.address).origin
}

async function stop(id: number): Promise<string> {
  await servers.get(id)?.stop()
  servers.delete(id)
  return ''
}
