import { isObject } from '../schemas/define/values.ts'

/** What was thrown, in words: the message of an error, anything else as text. */
export const errorMessage = (error: unknown): string =>
  isObject(error) && typeof error.message === 'string' ? error.message : String(error)

/** The code of an error of the system or of Node, as `ENOENT`; `undefined` for one without. */
export const errorCode = (error: unknown): string | undefined =>
  isObject(error) && typeof error.code === 'string' ? error.code : undefined

/** What an error was made of; `undefined` for one without. */
export const errorCause = (error: unknown): unknown => (isObject(error) ? error.cause : undefined)
