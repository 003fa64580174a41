import type { Values } from '../../../resources/engine/form/formValues.ts'
import { sameValue } from '../../../schemas/define/sameValue.ts'
import { type ServerConfigKey, serverConfig } from '../../../schemas/machines/serverConfig.ts'

/** Some of an agent's settings, with the values they are to have. */
export type ConfigChanges = Partial<Record<ServerConfigKey, unknown>>

/**
 * Reads an agent's settings.
 * @throws Error with a text key when the text is no JSON object
 */
export function readConfigText(text: string): Values {
  try {
    const value: unknown = JSON.parse(text)
    if (value && typeof value === 'object' && !Array.isArray(value)) return value as Values
  } catch {
    // The sentence below says it.
  }
  throw new Error('app.server_config.unreadable')
}

/**
 * An agent's own text with some settings changed, and everything else as it was: unknown keys and its identity. Only
 * settings that are for people to change ever get into it. What is cleared travels as null, since agents leave alone
 * what is missing.
 */
export function mergedConfigText(own: Values, changes: ConfigChanges): string {
  return JSON.stringify({
    ...own,
    ...Object.fromEntries(editable(changes).map(([key, value]) => [key, value ?? null])),
  })
}

/** The changes that an agent has not made yet. */
export function pendingChanges(own: Values, changes: ConfigChanges): ConfigChanges {
  return Object.fromEntries(editable(changes).filter(([key, value]) => !sameSetting(own[key], value)))
}

const editable = (changes: ConfigChanges) => Object.entries(changes).filter(([key]) => key in serverConfig.form.shape)

/** Agents leave out what is empty, and no list counts as an empty one. */
function sameSetting(a: unknown, b: unknown): boolean {
  return sameValue(a, b) || (isNothing(a) && isNothing(b))
}

const isNothing = (value: unknown) => !value || (typeof value === 'object' && Object.keys(value).length === 0)

/** Settings that shut a way to the machine by which this console works. */
const restrictingKeys: readonly ServerConfigKey[] = [
  'disable_command_execute',
  'disable_nat',
  'disable_force_update',
  'disable_send_query',
]

/** The changes after which something can no longer be done, or undone, from here. */
export const riskyChanges = (changes: ConfigChanges): ServerConfigKey[] =>
  restrictingKeys.filter((key) => changes[key] === true)
