import type { LiveFrame, LiveServer } from '../../../src/schemas/machines/live.ts'
import { server } from '../../../src/schemas/server.ts'
import { cachedRows } from '../../db/cachedRows.ts'
import type { Store } from '../../db/store.ts'
import { entityTable } from '../../entities/entityTable.ts'
import type { Row } from '../../entities/row.ts'
import { isAdmin, owns, type Person } from '../../person.ts'
import { withoutEmpty } from '../../wire/withoutEmpty.ts'
import type { Machines } from '../machines.ts'
import { byDisplayIndex } from '../serverHooks.ts'

export interface LiveFrames {
  /** People with the same audience see the same frame, which is made once per tick. */
  audienceOf(person: Person | undefined): string
  /**
   * The frame for one audience, as text.
   * @param online number of open sockets
   * @param isFirst a connection's first frame; it alone carries the public notes
   */
  frame(person: Person | undefined, online: number, isFirst: boolean): string
}

/** The frames of `/ws/server` (docs/contract/CONTRACT.md#103-wsserver). */
export function createLiveFrames(store: Store, machines: Machines, now = Date.now): LiveFrames {
  const table = entityTable(store, server)
  function liveServer(row: Row, isOwner: boolean, isFirst: boolean): LiveServer {
    const { host, state, geoip, last_active } = machines.wireReport(row)
    const { name, display_index, public_note } = row as unknown as LiveServer
    return {
      id: row.id,
      ...withoutEmpty({ name, public_note: isFirst ? public_note : '', display_index }),
      ...filled('host', isOwner ? host : withoutVersions(host)),
      ...filled('state', state),
      ...withoutEmpty({ country_code: geoip.country_code ?? '' }),
      last_active,
    }
  }

  return {
    audienceOf: (person) => (isAdmin(person) ? 'admins' : person ? `user ${person.id}` : 'guests'),
    frame(person, online, isFirst) {
      const servers = cachedRows(table)
        .filter((row) => !row.hide_for_guest || owns(person, row))
        .sort(byDisplayIndex)
        .map((row) => liveServer(row, owns(person, row), isFirst))
      const frame: LiveFrame = { now: now(), online, servers }
      return JSON.stringify(frame)
    },
  }
}

const filled = (key: string, value: object) => (Object.keys(value).length > 0 ? { [key]: value } : {})

/** Versions would tell attackers which vulnerabilities to try. */
function withoutVersions(host: object): object {
  const { platform_version: _platform, version: _agent, ...rest } = host as Record<string, unknown>
  return rest
}
