/** Values by the names of their fields. */
export type Values = Readonly<Record<string, unknown>>

/** Whether something that was read, such as JSON, is an object with named values; a list is none. */
export const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
