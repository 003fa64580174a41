import { z } from 'zod'

/** Characters (UTF-16 units). The sign-in form refuses shorter names. */
export const usernameLength = { min: 2, max: 64 } as const

/** Control characters, characters without a shape, and every white space but the plain one. */
const unseen = /[\p{C}\p{Zl}\p{Zp}\p{DI}]|(?! )\p{Zs}/u

/** Whether a name consists of characters that people can see and type; spaces may be between them. */
export const isVisibleName = (text: string) => !unseen.test(text)

/**
 * What two names have in common that people take for one: without the difference of letter case, of full and half width,
 * of composed characters, and of spaces that a page draws as one.
 */
export const comparedName = (text: string) =>
  text.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC').replaceAll(/ +/g, ' ').trim()

/** The name of a user: 2 to 64 characters that people can see. */
export const username = () =>
  z
    .string()
    .trim()
    .min(usernameLength.min)
    .max(usernameLength.max)
    .refine(isVisibleName, { params: { key: 'validation.visible_name' } })
