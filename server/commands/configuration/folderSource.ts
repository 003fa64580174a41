import { ApiError } from '../../wire/apiCall.ts'
import { type CommandContext, openApp } from './command.ts'
import { ApplyError, type ConfigurationSource } from './runningServer.ts'

/**
 * The configuration in DATA_DIR, with the rights of its first administrator.
 * @throws StartError when a server uses the folder
 */
export async function openFolder(context: CommandContext): Promise<ConfigurationSource> {
  const { app, person, audit, close } = await openApp(context)
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
