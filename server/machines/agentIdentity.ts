import { isObject, type Values } from '../../src/schemas/define/values.ts'

/** Stands in an agent's settings for its secret, which is that of its owner: nobody is shown it here. */
const concealedSecret = '…'

/** The settings by which an agent knows its server, and by which that knows the agent and its owner. */
const identityKeys: ReadonlySet<string> = new Set(['server', 'client_secret', 'uuid', 'tls', 'insecure_tls', 'dns'])

/** An agent's settings as people may see them. @param text JSON, as the agent sent it */
export const withoutSecret = (text: string): string =>
  changed(text, ([key, value]) => [[key, isSecret(key) && value ? concealedSecret : value]])

/** The same settings as they are sent back: what nobody was shown is left out, and the agent keeps it. */
export const withStoredSecret = (text: string): string =>
  changed(text, ([key, value]) => (isSecret(key) && (value === concealedSecret || value === '') ? [] : [[key, value]]))

/**
 * The settings in this text that would change where an agent connects to, or as whom.
 * @param current reads the agent's settings, where the text has such a setting at all
 */
export async function changedIdentity(text: string, current: () => Promise<string>): Promise<string[]> {
  const given = Object.entries(objectIn(withStoredSecret(text)) ?? {}).filter(([key]) => identityKeys.has(nameOf(key)))
  if (given.length === 0) return []
  const present = objectIn(await current()) ?? {}
  return given.filter(([key, value]) => !isSame(value, present[nameOf(key)])).map(([key]) => key)
}

/**
 * Whether this text would give an agent another secret. Agents skip a value of `null`.
 * @param current reads the agent's settings, where the text has a secret at all
 */
export async function givesOtherSecret(text: string, current: () => Promise<string>): Promise<boolean> {
  const given = Object.entries(objectIn(withStoredSecret(text)) ?? {}).filter(
    ([key, value]) => isSecret(key) && value !== null,
  )
  if (given.length === 0) return false
  const present = objectIn(await current())?.client_secret
  return given.some(([, value]) => !isSame(value, present))
}

type Entry = readonly [key: string, value: unknown]

/** Agents read names in any case, and take letters such as the long s for those of which they are a form. */
const nameOf = (key: string) => key.toUpperCase().toLowerCase()
const isSecret = (key: string) => nameOf(key) === 'client_secret'

/** Agents leave out what is empty. */
const isSame = (one: unknown, other: unknown) => JSON.stringify(one || null) === JSON.stringify(other || null)

/** Texts without a secret, and those that are no object, go on letter by letter. */
function changed(text: string, change: (entry: Entry) => Entry[]): string {
  const settings = objectIn(text)
  if (!settings || !Object.keys(settings).some(isSecret)) return text
  return JSON.stringify(Object.fromEntries(Object.entries(settings).flatMap(change)))
}

function objectIn(text: string): Values | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
