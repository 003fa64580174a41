import { isObject, sameValue, type Values } from '../../../schemas/define/values.ts'
import { type ServerConfigKey, serverConfig } from '../../../schemas/machines/serverConfig.ts'

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
