import { fieldsIn } from '../../src/schemas/define/values.ts'
import { withoutEmpty } from './withoutEmpty.ts'

const defaultLimit = 25

/** The page that a query asks for, as lists are paged (docs/contract/CONTRACT.md#512-waf-and-online-users). */
export function pageIn(query: unknown): { offset: number; limit: number } {
  const { offset, limit } = fieldsIn(query)
  return { offset: readCount(offset), limit: readCount(limit) || defaultLimit }
}

/** The `data` of a page. */
export const pageReply = <Item>(
  { rows, total }: { rows: readonly Item[]; total: number },
  offset: number,
  limit: number,
) => ({
  ...(rows.length > 0 && { value: [...rows] }),
  pagination: withoutEmpty({ offset, limit, total }),
})

/** Anything but a whole number counts as not given. */
const readCount = (text: unknown) => (typeof text === 'string' && /^\d{1,9}$/.test(text) ? Number(text) : 0)
