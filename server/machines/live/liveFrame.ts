import type { LiveServer } from '../../../src/schemas/machines/live.ts'
import { server } from '../../../src/schemas/server.ts'
import { serverGroup } from '../../../src/schemas/serverGroup.ts'
import { serverShare } from '../../../src/schemas/serverShare.ts'
import { roleTables } from '../../auth/roles/roleTables.ts'
import { teamTables } from '../../auth/teams/teams.ts'
import { leaveTurn, takeTurns } from '../../concurrency/takeTurns.ts'
import { createSnapshot } from '../../db/selector.ts'
import type { Store } from '../../db/store.ts'
import { entityTable } from '../../entities/entityTable.ts'
import type { ServerRow } from '../../entities/row.ts'
import { isAdmin, type Person } from '../../person.ts'
import { withoutEmpty } from '../../wire/withoutEmpty.ts'
import type { Machines, WireReport } from '../machines.ts'
import type { ServerAccess } from '../serverAccess.ts'
import { byDisplayIndex } from '../serverHooks.ts'
import { createFrameMemory, type FrameBytes } from './frameMemory.ts'

export interface LiveFrames {
  /** Another object after the records were written that decide who sees which servers, and by which names. */
  snapshot(): object
  /**
   * The frame for one audience, as JSON in UTF-8. Others get their turn meanwhile: thousands of machines take a tenth of
   * a second.
   * @param online number of open sockets
   * @param isFirst a connection's first frame; it alone carries the public notes
   */
  frame(person: Person | undefined, online: number, isFirst: boolean): Promise<FrameBytes>
}

/** People with the same audience see the same servers, which are looked through once per tick. */
export function audienceOf(person: Person | undefined): string {
  if (person?.token?.servers) return `token ${person.token.id}`
  return isAdmin(person) ? 'admins' : person ? `user ${person.id}` : 'guests'
}

/** Makes another object after the records were written that decide who sees which servers. */
export function createRightsSnapshot(store: Store): () => object {
  const whoMay = [...Object.values(roleTables(store)), ...Object.values(teamTables(store))]
  const tables = [server, serverShare, serverGroup].map((entity) => entityTable(store, entity))
  return createSnapshot([...tables, ...whoMay])
}

/** The frames of `/ws/server` (docs/contract/CONTRACT.md#103-wsserver). */
export function createLiveFrames(store: Store, machines: Machines, access: ServerAccess, now = Date.now): LiveFrames {
  const table = entityTable(store, server)
  const snapshot = createRightsSnapshot(store)
  const memory = createFrameMemory()
  const hosts = createHostTexts()

  /** A `LiveServer` as JSON. */
  function liveServer(row: ServerRow, isListed: boolean, isFirst: boolean): string {
    const { host, geoip, last_active, duplicate_uuid, missing } = machines.wireReport(row)
    const state = machines.stateJson(row)
    const { name, display_index, public_note } = row
    const before: Partial<LiveServer> = {
      id: row.id,
      ...withoutEmpty({ name, public_note: isFirst ? public_note : '', display_index }),
    }
    const after: Partial<LiveServer> = { ...withoutEmpty({ country_code: geoip.country_code ?? '' }), last_active }
    if (missing) after.missing = missing
    if (isListed && duplicate_uuid) after.duplicate_uuid = duplicate_uuid
    const members = `${member('host', hosts.of(host, isListed))}${member('state', state)}`
    return `${JSON.stringify(before).slice(0, -1)},${members}${JSON.stringify(after).slice(1)}`
  }

  return {
    snapshot,
    async frame(person, online, isFirst) {
      const turn = takeTurns(leaveTurn)
      const rows = table
        .all()
        .filter((row) => access.canSee(person, row))
        .sort(byDisplayIndex)
        // Now: what is read later may have changed, or be closed.
        .map((row) => ({ row, isListed: access.isListed(person, row) }))
      const bytes = memory.take()
      bytes.append(`{"now":${now()},"online":${online},"servers":[`)
      for (const [index, { row, isListed }] of rows.entries()) {
        if (index > 0) bytes.append(',')
        bytes.append(liveServer(row, isListed, isFirst))
        await turn()
      }
      bytes.append(']}')
      return bytes
    },
  }
}

const member = (name: string, json: string) => (json === '{}' ? '' : `"${name}":${json},`)

/** The JSON of hosts for one person: who has a server on their list is told the versions, too. What hardly ever changes is written once. */
export function createHostTexts(): { of(host: WireReport['host'], isListed: boolean): string } {
  const [ofListed, ofOthers] = [createJsonCache((host) => host), createJsonCache(withoutVersions)]
  return { of: (host, isListed) => (isListed ? ofListed : ofOthers).of(host) }
}

function createJsonCache(present: (value: WireReport['host']) => object) {
  const texts = new WeakMap<object, string>()
  return {
    of(value: WireReport['host']): string {
      const text = texts.get(value) ?? JSON.stringify(present(value))
      texts.set(value, text)
      return text
    },
  }
}

/** Versions would tell attackers which vulnerabilities to try. */
function withoutVersions(host: WireReport['host']): object {
  const { platform_version: _platform, version: _agent, ...rest } = host
  return rest
}
