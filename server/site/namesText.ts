import { isolate } from '../../i18n/isolate.ts'
import type { Messages } from './messages.ts'

/**
 * Names in a message: the first ones, and how many there are beside them.
 * @param most that are written out
 * @param nameOf called for these alone: of thousands, few are
 */
export function namesText<One>(
  messages: Messages,
  all: readonly One[],
  most: number,
  nameOf: (one: One) => string,
): string {
  const names = all
    .slice(0, most)
    .map((one) => isolate(nameOf(one)))
    .join(', ')
  const more = all.length - most
  return more > 0 ? messages('names_and_more', { names, more }) : names
}
