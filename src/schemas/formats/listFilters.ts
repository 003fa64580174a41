import { z } from 'zod'
import { limits } from '../define/fields.ts'
import { endsOf, timeOf } from './time.ts'

/** What filters of lists that the server pages look like in an address; all are texts there. */

/** The words of a search: all of them must stand somewhere in a row. */
export const searchFilter = () => z.string().max(limits.shortText)

/** A part of a text, in any case. */
export const textFilter = () => z.string().max(limits.shortText)

/** A number, such as an id or a code. */
export const numberFilter = () => z.string().regex(/^\d{1,15}$/)

/** From one point in time to another, as `2026-11-21T00:00:00Z/2026-11-22T00:00:00Z`; either end may be left out. */
export const periodFilter = () =>
  z
    .string()
    .max(limits.shortText)
    .refine((text) => text.includes('/') && endsOf(text).every((end) => end === '' || timeOf(end) !== undefined))
