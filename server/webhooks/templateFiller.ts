import { ApiError } from '../wire/apiCall.ts'

/** Fills in one text of a request. @param encode makes a value fit the text that it is put into */
export type FillTemplate = (text: string, encode: (value: string) => string) => string

/**
 * Characters that the values of one request have together: a text that names a long message thousands of times would fill
 * the memory, and everybody would wait for it.
 */
const maxCharacters = 4 * 1024 * 1024

/**
 * Fills in the texts of one request. All placeholders of a text in one pass, so that values are not filled in again; those
 * without a value stay.
 * @param pattern with the name of a placeholder as its only group
 * @returns fills in one text; throws ApiError when the request gets too long
 */
export function templateFiller(pattern: RegExp, values: Readonly<Record<string, string>>): FillTemplate {
  let left = maxCharacters
  return (text, encode) =>
    text.replaceAll(pattern, (whole, name: string) => {
      // Every object has a `constructor`, too.
      const value = Object.hasOwn(values, name) ? values[name] : undefined
      if (value === undefined) return whole
      const encoded = encode(value)
      left -= encoded.length
      if (left >= 0) return encoded
      throw new ApiError(`the request gets longer than 4 MiB: name ${whole} less often`)
    })
}
