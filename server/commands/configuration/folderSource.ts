import packageJson from '../../../package.json' with { type: 'json' }
import { roles } from '../../../src/schemas/define/access.ts'
import { openAuditLog } from '../../audit/auditLog.ts'
import { usersIn } from '../../auth/users/users.ts'
import { openStore } from '../../db/store.ts'
import { readSettings } from '../../settings.ts'
import { openDataFolder } from '../../start/dataFolder.ts'
import { existingFolder } from '../../start/existingFolder.ts'
import { StartError } from '../../startError.ts'
import { ApiError } from '../../wire/apiError.ts'
import type { CommandContext } from './command.ts'
import { ApplyError, type ConfigurationSource } from './configurationSource.ts'

/**
 * The configuration in DATA_DIR, with the rights of its first administrator. Nothing of the server runs meanwhile: no
 * task is started, and nobody is notified.
 * @throws StartError when a server uses the folder
 */
export async function openFolder({ log, env }: CommandContext): Promise<ConfigurationSource> {
  const folder = lockedFolder(env)
  // Only now, so that a folder in use is refused at once.
  const { buildApp } = await import('../../app.ts')
  const store = openStore(folder.database)
  const audit = openAuditLog({ path: folder.auditFile })
  const { secondFactorKeyFile } = folder
  const settings = readSettings(env)
  const app = await buildApp({ store, log, settings, version: packageJson.version, audit, secondFactorKeyFile })
  const close = async () => {
    await app.close()
    audit.close()
    store.close()
    folder.release()
  }
  const administrator = usersIn(store)
    .all()
    .find(({ role }) => role === roles.admin)
  if (!administrator) {
    await close()
    throw new StartError('There is no administrator in the data folder: start the server once, then repeat this.')
  }
  const { id, username, role } = administrator
  const person = { id, username, role }
  return {
    close,
    read: async () => app.configuration.read(person),
    async apply(changes) {
      try {
        await app.configuration.apply(person, changes)
      } catch (error) {
        throw error instanceof ApiError ? new ApplyError(error.message) : error
      }
      audit.write({ action: 'configuration.apply', detail: { changes: changes.length } })
    },
  }
}

function lockedFolder(env: NodeJS.ProcessEnv): ReturnType<typeof openDataFolder> {
  const { path } = existingFolder(env)
  try {
    return openDataFolder(path)
  } catch (error) {
    if (!(error instanceof StartError) || !error.message.startsWith('Another server')) throw error
    throw new StartError(
      `A server is using the data folder ${path}: repeat this with --server and its address, or stop it first.`,
      { cause: error },
    )
  }
}
