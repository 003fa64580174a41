import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { parseArgs } from 'node:util'
import { buildApp } from '../../../server/app.ts'
import { prepareFirstUser } from '../../../server/auth/users/firstUser.ts'
import { openStore } from '../../../server/db/store.ts'
import { entityTable } from '../../../server/entities/entityTable.ts'
import { consoleLog } from '../../../server/log.ts'
import { createLocalHost } from '../../../server/machines/hosts/local/localHost.ts'
import { createMachines } from '../../../server/machines/machines.ts'
import { readSettings } from '../../../server/settings.ts'
import { openDataFolder } from '../../../server/start/dataFolder.ts'
import { server } from '../../../src/schemas/server.ts'
import { reportingHosts } from './reportingHosts.ts'

/**
 * The embedded server as a process of its own, so that its work is not on the clock of the page: the real parts on the
 * data of DATA_DIR. Says its address to the parent process. `--dist <folder>`: the pages to serve; `--reporting`: every
 * server of the store reports every two seconds; `--machine`: so does this machine, which adds a row of its own and
 * brings its shells and files.
 */
const { values } = parseArgs({
  options: {
    dist: { type: 'string' },
    reporting: { type: 'boolean', default: false },
    machine: { type: 'boolean', default: false },
  },
})
const settings = readSettings(process.env)
const folder = openDataFolder(settings.dataDir)
const store = openStore(folder.database)
const machines = createMachines({ store })
const app = await buildApp({ store, machines, settings, dist: values.dist, log: consoleLog, version: 'bench' })
const firstUser = await prepareFirstUser(store, {
  adminPassword: settings.adminPassword,
  passwordFile: folder.passwordFile,
  isTerminal: false,
})
firstUser?.create()
await app.listen({ host: settings.host, port: 0 })
if (values.reporting) for (const host of reportingHosts(entityTable(store, server).all())) machines.add(host)
if (values.machine) {
  machines.add(createLocalHost({ uuid: randomUUID(), version: 'bench', onError: (error) => console.error(error) }))
}

/** The parent has what it wanted, or is gone. */
process.once('disconnect', async () => {
  await app.close()
  await machines.stop()
  store.close()
  folder.release()
  process.exit(0)
})
const { port } = app.server.address() as AddressInfo
process.send?.({ address: `${settings.tls ? 'https' : 'http'}://${settings.host}:${port}` })
