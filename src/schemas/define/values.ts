/** Values by the names of their fields. */
export type Values = Readonly<Record<string, unknown>>

/** Whether something that was read, such as JSON, is an object with named values; a list is none. */
export const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What was read, where it is an object with named values; anything else has none. */
export const fieldsIn = (value: unknown): Values => (isObject(value) ? value : {})

/** The keys of an object that has no others than its type says. */
export const keysOf = <T extends object>(value: T): Extract<keyof T, string>[] =>
  Object.keys(value) as Extract<keyof T, string>[]
