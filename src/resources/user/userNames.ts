import type { TextContext } from '../../records/queryRows.ts'
import { byId } from '../../records/wholeList.ts'

/** A user's name and id, as `admin #1`; only the id where the names of users are not readable, or for a deleted one. */
export function userNameIn({ related }: Pick<TextContext, 'related'>, id: number): string {
  const name = byId(related('user')).get(String(id))?.username
  return name ? `${name} #${id}` : `#${id}`
}
