import type { FastifyInstance } from 'fastify'
import packageJson from '../../../package.json' with { type: 'json' }
import { roles } from '../../../src/schemas/define/access.ts'
import type { AuditLog } from '../../audit/auditLog.ts'
import { usersIn } from '../../auth/users/users.ts'
import { type Log, StartError } from '../../log.ts'
import type { Person } from '../../person.ts'
import { readSettings } from '../../settings.ts'
import { type OfflineStore, openOffline } from '../../start/offlineStore.ts'

/** The options of a command by their names, without the dashes; `true` where one has no value. */
export type CommandOptions = Readonly<Record<string, string | true>>

/** Where a command says something, and the environment that its settings come from. */
export interface CommandContext {
  log: Log
  env: NodeJS.ProcessEnv
}

/** The server in DATA_DIR, which does not listen: no task is started, and nobody is notified. */
export interface OpenApp {
  app: FastifyInstance
  /** The first administrator, in whose name a command works. */
  person: Person
  audit: AuditLog
  close(): Promise<void>
}

/** @throws StartError when a server uses the folder, or there is no administrator */
export async function openApp({ log, env }: CommandContext): Promise<OpenApp> {
  const { store, secondFactorKey, openAudit, openHistory, close: closeStore } = await openAlone(env, log)
  // Only now, so that a folder in use is refused at once.
  const { buildApp } = await import('../../app.ts')
  const history = openHistory()
  const audit = openAudit()
  const settings = readSettings(env)
  const { version } = packageJson
  const app = await buildApp({ store, log, settings, version, audit, history, secondFactorKey })
  const close = async () => {
    await app.close()
    audit.close()
    history.close()
    await closeStore()
  }
  const administrator = usersIn(store)
    .all()
    .find(({ role }) => role === roles.admin)
  if (!administrator) {
    await close()
    throw new StartError('There is no administrator in the data folder: start the server once, then repeat this.')
  }
  const { id, username, role } = administrator
  return { app, person: { id, username, role }, audit, close }
}

async function openAlone(env: NodeJS.ProcessEnv, log: Log): Promise<OfflineStore> {
  try {
    return await openOffline(env, log)
  } catch (error) {
    if (!(error instanceof StartError) || !error.message.startsWith('Another server')) throw error
    throw new StartError(
      `A server is using the data folder ${readSettings(env).dataDir}: stop it first, or do this with it (--server, or in the console).`,
      { cause: error },
    )
  }
}
