import type { LiveServer } from '../../../src/schemas/machines/live.ts'
import { server } from '../../../src/schemas/server.ts'
import { cachedRows } from '../../db/cachedRows.ts'
import type { Store } from '../../db/store.ts'
import { entityTable } from '../../entities/entityTable.ts'
import type { Row } from '../../entities/row.ts'
import { isAdmin, owns, type Person } from '../../person.ts'
import { withoutEmpty } from '../../wire/withoutEmpty.ts'
import type { Machines } from '../machines.ts'
import { byDisplayIndex } from '../serverHooks.ts'
import { createFrameMemory, type FrameBytes } from './frameMemory.ts'

export interface LiveFrames {
  /** People with the same audience see the same frame, which is made once per tick. */
  audienceOf(person: Person | undefined): string
  /**
   * The frame for one audience, as JSON in UTF-8.
   * @param online number of open sockets
   * @param isFirst a connection's first frame; it alone carries the public notes
   */
  frame(person: Person | undefined, online: number, isFirst: boolean): FrameBytes
}

/** The frames of `/ws/server` (docs/contract/CONTRACT.md#103-wsserver). */
export function createLiveFrames(store: Store, machines: Machines, now = Date.now): LiveFrames {
  const table = entityTable(store, server)
  const memory = createFrameMemory()

  /** A `LiveServer` as JSON. */
  function liveServer(row: Row, isOwner: boolean, isFirst: boolean): string {
    const { host, geoip, last_active } = machines.wireReport(row)
    const state = machines.stateJson(row)
    const { name, display_index, public_note } = row as unknown as LiveServer
    const before: Partial<LiveServer> = {
      id: row.id,
      ...withoutEmpty({ name, public_note: isFirst ? public_note : '', display_index }),
      ...filled('host', isOwner ? host : withoutVersions(host)),
    }
    const after: Partial<LiveServer> = { ...withoutEmpty({ country_code: geoip.country_code ?? '' }), last_active }
    const stateMember = state === '{}' ? '' : `"state":${state},`
    return `${JSON.stringify(before).slice(0, -1)},${stateMember}${JSON.stringify(after).slice(1)}`
  }

  return {
    audienceOf: (person) => (isAdmin(person) ? 'admins' : person ? `user ${person.id}` : 'guests'),
    frame(person, online, isFirst) {
      const rows = cachedRows(table)
        .filter((row) => !row.hide_for_guest || owns(person, row))
        .sort(byDisplayIndex)
      const bytes = memory.take()
      bytes.append(`{"now":${now()},"online":${online},"servers":[`)
      for (const [index, row] of rows.entries()) {
        if (index > 0) bytes.append(',')
        bytes.append(liveServer(row, owns(person, row), isFirst))
      }
      bytes.append(']}')
      return bytes
    },
  }
}

const filled = (key: string, value: object) => (Object.keys(value).length > 0 ? { [key]: value } : {})

/** Versions would tell attackers which vulnerabilities to try. */
function withoutVersions(host: object): object {
  const { platform_version: _platform, version: _agent, ...rest } = host as Record<string, unknown>
  return rest
}
