import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import type { Values } from '../../../resources/engine/form/formValues.ts'
import { endpoints } from '../../../schemas/endpoints/index.ts'
import { type ConfigChanges, mergedConfigText, pendingChanges, readConfigText } from './configText.ts'
import { mapConcurrently } from './mapConcurrently.ts'

type Call = ConsoleDataProvider['call']

/** A real server waits up to ten seconds for each agent; more at once would only wait there. */
const concurrency = 5

/** How an order went for one server. */
export type ConfigOutcome = { id: number } & (
  | { state: 'sent' | 'unchanged' | 'offline' }
  /** `reason` is the server's words or a text key. */
  | { state: 'failed'; reason: string }
)

/** What one server's agent has now, or why nobody can tell. */
export type ConfigReadResult = { id: number; own: Values } | { id: number; reason: string }

/**
 * Reads the settings of one server's agent.
 * @throws Error with the server's words, or a text key
 */
export async function readConfig(call: Call, id: number): Promise<Values> {
  const text = await call(endpoints.serverConfig, { id })
  if (text === undefined) throw new Error('app.server_config.not_connected')
  return readConfigText(text)
}

/** Reads the settings of many. @param onStep told after each */
export function readConfigs(call: Call, ids: readonly number[], onStep: () => void): Promise<ConfigReadResult[]> {
  return mapConcurrently(ids, concurrency, async (id): Promise<ConfigReadResult> => {
    const found = await readConfig(call, id).then(
      (own) => ({ id, own }),
      (error: unknown) => ({ id, reason: reasonOf(error) }),
    )
    onStep()
    return found
  })
}

/**
 * Changes the settings of many, each in its own text as it is at that moment. Agents that are there already are left
 * alone.
 */
export function changeConfigs(
  call: Call,
  ids: readonly number[],
  changes: ConfigChanges,
  onStep: () => void,
): Promise<ConfigOutcome[]> {
  return mapConcurrently(ids, concurrency, async (id): Promise<ConfigOutcome> => {
    const outcome = await changeConfig(call, id, changes).catch(
      (error: unknown): ConfigOutcome => ({ id, state: 'failed', reason: reasonOf(error) }),
    )
    onStep()
    return outcome
  })
}

/** @throws Error with the server's words, or a text key */
export async function changeConfig(call: Call, id: number, changes: ConfigChanges): Promise<ConfigOutcome> {
  const own = await readConfig(call, id)
  const pending = pendingChanges(own, changes)
  if (Object.keys(pending).length === 0) return { id, state: 'unchanged' }
  const report = await call(endpoints.setServerConfig, { servers: [id], config: mergedConfigText(own, pending) })
  if (report.success.includes(id)) return { id, state: 'sent' }
  if (report.offline.includes(id)) return { id, state: 'offline' }
  // A server that is gone is in none of the lists.
  return {
    id,
    state: 'failed',
    reason: report.failure.includes(id) ? 'app.server_config.not_taken' : 'app.server_config.not_connected',
  }
}

/** The cause is in the console, as everywhere. */
function reasonOf(error: unknown): string {
  console.error(error)
  return (error instanceof Error && error.message) || 'app.toast.unexpected'
}
