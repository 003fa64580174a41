import { HttpError } from 'react-admin'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import { isObject, sameValue, type Values } from '../../../schemas/define/values.ts'
import { endpoints } from '../../../schemas/endpoints/index.ts'
import { type ServerConfigKey, serverConfig } from '../../../schemas/machines/serverConfig.ts'
import { mapConcurrently } from './mapConcurrently.ts'

type Call = ConsoleDataProvider['call']

/** Nezha servers wait up to ten seconds for each agent; more requests at once would only wait there. */
const concurrency = 5

/** The outcome of a change for one server. */
export type ConfigOutcome = {
  id: number
} /** `reconnecting`: accepted, and back in about 20 seconds. `sent`: delivered, and nobody knows more. */ & (
  | { state: 'sent' | 'reconnecting' | 'accepted' | 'unchanged' | 'offline' }
  /** Somebody stopped: before it was sent, or before there was an answer. */
  | { state: 'stopped' | 'unknown' }
  /** `reason` is the server's message or a text key. */
  | { state: 'failed'; reason: string }
)

/** The current settings of one server's agent, or why they could not be read. */
export type ConfigReadResult = { id: number; config: Values } | { id: number; reason: string }

/**
 * Reads the settings of one server's agent.
 * @throws Error with the server's message or a text key
 */
export async function readConfig(call: Call, id: number, signal?: AbortSignal): Promise<Values> {
  const text = await call(endpoints.serverConfig, { id }, { signal })
  if (text === undefined) throw new Error('app.server_config.not_connected')
  return readConfigText(text)
}

/** Reads the settings of many servers. @param onStep called after each */
export function readConfigs(
  call: Call,
  ids: readonly number[],
  onStep: () => void,
  signal?: AbortSignal,
): Promise<ConfigReadResult[]> {
  return mapConcurrently(ids, concurrency, async (id): Promise<ConfigReadResult> => {
    const result = await readConfig(call, id, signal).then(
      (config) => ({ id, config }),
      (error: unknown) => ({ id, reason: reasonOf(error) }),
    )
    onStep()
    return result
  })
}

/** Changes the settings of many servers, each based on its current text. Agents without a difference are left alone. */
export function changeConfigs(
  call: Call,
  ids: readonly number[],
  changes: ConfigChanges,
  onStep: () => void,
  signal: AbortSignal,
): Promise<ConfigOutcome[]> {
  return mapConcurrently(ids, concurrency, async (id): Promise<ConfigOutcome> => {
    const outcome = await changeConfig(call, id, changes, signal).catch((error: unknown): ConfigOutcome => {
      if (signal.aborted && error instanceof HttpError && error.status === 0) return { id, state: 'unknown' }
      return signal.aborted ? { id, state: 'stopped' } : { id, state: 'failed', reason: reasonOf(error) }
    })
    onStep()
    return outcome
  })
}

/** @throws Error with the server's message or a text key */
export async function changeConfig(
  call: Call,
  id: number,
  changes: ConfigChanges,
  signal?: AbortSignal,
): Promise<ConfigOutcome> {
  const current = await readConfig(call, id, signal)
  const pending = pendingChanges(current, changes)
  if (Object.keys(pending).length === 0) return { id, state: 'unchanged' }
  const input = { servers: [id], config: mergedConfigText(current, pending) }
  const report = await call(endpoints.setServerConfig, input, { signal })
  if (report.reconnecting.includes(id)) return { id, state: 'reconnecting' }
  if (report.success.includes(id))
    return hasAgent(current) ? afterSending(call, id, pending, signal) : { id, state: 'accepted' }
  if (report.offline.includes(id)) return { id, state: 'offline' }
  // A deleted server is in none of the lists.
  return {
    id,
    state: 'failed',
    reason:
      report.reasons[id] ??
      (report.failure.includes(id) ? 'app.server_config.not_taken' : 'app.server_config.not_connected'),
  }
}

/**
 * What an agent says about settings that were delivered: Nezha servers do not wait for its answer. An agent that is about
 * to use new settings says so in place of its settings.
 */
async function afterSending(
  call: Call,
  id: number,
  changes: ConfigChanges,
  signal: AbortSignal | undefined,
): Promise<ConfigOutcome> {
  try {
    const isInForce = Object.keys(pendingChanges(await readConfig(call, id, signal), changes)).length === 0
    return isInForce ? { id, state: 'accepted' } : { id, state: 'failed', reason: 'app.server_config.not_confirmed' }
  } catch (error) {
    const isReloading = error instanceof Error && error.message.includes('another reload is in process')
    return { id, state: isReloading ? 'reconnecting' : 'sent' }
  }
}

/** The text of an error; its details go to the browser's console. */
function reasonOf(error: unknown): string {
  console.error(error)
  return (error instanceof Error && error.message) || 'app.toast.unexpected'
}

/** Some of an agent's settings with their new values. */
export type ConfigChanges = Partial<Record<ServerConfigKey, unknown>>

/**
 * Reads an agent's settings.
 * @throws Error with a text key if the text is not a JSON object
 */
export function readConfigText(text: string): Values {
  try {
    const value: unknown = JSON.parse(text)
    if (isObject(value)) return value
  } catch {
    // Reported by the error below.
  }
  throw new Error('app.server_config.unreadable')
}

/**
 * An agent's configuration text with some settings changed. Unknown keys and the agent's identity are kept; only editable
 * settings are changed. Cleared values are sent as null, since agents ignore missing keys.
 */
export function mergedConfigText(config: Values, changes: ConfigChanges): string {
  return JSON.stringify({
    ...config,
    ...Object.fromEntries(editable(changes).map(([key, value]) => [key, value ?? null])),
  })
}

/**
 * Whether these are the settings of an agent, which name its server, and not those of the machine that the embedded
 * server runs on: that one takes them over at once, and they can always be changed back.
 */
export const hasAgent = (config: Values): boolean => 'server' in config

/** The changes that differ from an agent's current settings. */
export function pendingChanges(config: Values, changes: ConfigChanges): ConfigChanges {
  return Object.fromEntries(editable(changes).filter(([key, value]) => !sameSetting(config[key], value)))
}

const editable = (changes: ConfigChanges) => Object.entries(changes).filter(([key]) => key in serverConfig.form.shape)

/** Agents leave out empty values, and a missing list equals an empty one. */
function sameSetting(a: unknown, b: unknown): boolean {
  return sameValue(a, b) || (isEmpty(a) && isEmpty(b))
}

const isEmpty = (value: unknown) => !value || (typeof value === 'object' && Object.keys(value).length === 0)

/** Settings that disable functions on which the console relies. */
const restrictingKeys: readonly ServerConfigKey[] = [
  'disable_command_execute',
  'disable_nat',
  'disable_force_update',
  'disable_send_query',
]

/** The changes that disable functions of the console. */
export const riskyChanges = (changes: ConfigChanges): ServerConfigKey[] =>
  restrictingKeys.filter((key) => changes[key] === true)
