import { roles } from '../../src/schemas/define/access.ts'
import type { maintenanceWindow } from '../../src/schemas/maintenanceWindow.ts'
import { server } from '../../src/schemas/server.ts'
import { serverGroup } from '../../src/schemas/serverGroup.ts'
import { service } from '../../src/schemas/service.ts'
import type { Store } from '../db/store.ts'
import { entityTable, type Owned, type Row, type ServerRow } from '../entities/entityTable.ts'

export type WindowRow = Row<typeof maintenanceWindow>

/** A user's role; `undefined` when the user no longer exists. */
export type RoleOf = (id: number) => number | undefined

/** The records that a maintenance window or a mute covers. One of a member covers only the member's own records. */
export interface CoveredRecords {
  /** The ids of the servers of a window, those of its groups and tags included. */
  serversOf(window: WindowRow): Set<number>
  servicesOf(window: WindowRow): Set<number>
}

/** Whether a record of a person reaches what belongs to others: it is an administrator's, who made or reviewed it. */
export const reachesAll = (row: Owned, roleOf: RoleOf): boolean =>
  roleOf(row.user_id) === roles.admin && !row.has_member_rights

export function createCoveredRecords(store: Store, roleOf: RoleOf): CoveredRecords {
  const servers = entityTable(store, server)
  const groups = entityTable(store, serverGroup)
  const services = entityTable(store, service)

  const reachable = <R extends Owned>(rows: readonly R[], window: WindowRow) =>
    reachesAll(window, roleOf) ? rows : rows.filter(({ user_id }) => user_id === window.user_id)

  return {
    serversOf(window) {
      const members = window.server_groups.flatMap((id) => groups.get(id)?.servers ?? [])
      const ids = new Set([...window.servers, ...members])
      const tags = readTags(window.tags)
      const isTagged = ({ note }: ServerRow) => {
        const own = tags.length > 0 ? tagsOfNote(note) : undefined
        return own !== undefined && tags.some((tag) => own.has(tag))
      }
      const found = reachable(servers.all(), window).filter((row) => ids.has(row.id) || isTagged(row))
      return new Set(found.map(({ id }) => id))
    },
    servicesOf(window) {
      const ids = new Set(window.services)
      const found = reachable(services.all(), window).filter(({ id }) => ids.has(id))
      return new Set(found.map(({ id }) => id))
    },
  }
}

/** Tags are words of a server's note that begin with `#`, such as `#db`; in any case, and with letters of all languages. */
const tagInNote = /(?<![\p{L}\p{N}_/#])#([\p{L}\p{N}_-]+)/gu

/** Tags as a form has them: with commas or spaces between, with or without `#`. */
export const readTags = (text: string): string[] => [
  ...new Set(
    text
      .toLowerCase()
      .split(/[\s,;，、]+/)
      .flatMap((tag) => tag.replace(/^#/, '') || []),
  ),
]

/** The tags in the note of a server, in lower case. */
export const tagsOfNote = (note: string): Set<string> =>
  new Set([...note.matchAll(tagInNote)].map(([, tag = '']) => tag.toLowerCase()))
