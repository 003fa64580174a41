import { fullDiskPercent } from '../../../src/domain/trouble/fullDisk.ts'
import { type OfflineSince, type ServerValues, sortedMetrics } from '../../../src/schemas/machines/serverChanges.ts'
import { server } from '../../../src/schemas/server.ts'
import { leaveTurn, takeTurns } from '../../concurrency/takeTurns.ts'
import type { Store } from '../../db/store.ts'
import { entityTable, type ServerRow } from '../../entities/entityTable.ts'
import type { Person } from '../../person.ts'
import type { Machines } from '../machines.ts'
import type { ServerAccess } from '../serverHooks.ts'
import { createHostTexts } from './liveSocket.ts'

/** What a page needs to know of every server: changed in place, as there are thousands for each audience. */
interface Presence {
  isOnline: boolean
  /** When it reported last, while it is offline: ms since 1970; 0 where that is not known. */
  seen: number
  /** Of its disks, where they are full; 0 where they are not. */
  fullPercent: number
  /** The looks at which it was seen last, and at which it had changed last. */
  seenAt: number
  changedAt: number
}

/** What those of one audience know of all servers. */
export interface FleetView {
  /**
   * Looks at all servers, as this person sees them at this moment. A look is shared by all who ask before it has begun.
   * Others get their turn meanwhile.
   */
  look(person: Person | undefined): Promise<void>
  /** The number of the newest look that is over. */
  readonly looks: number
  /** Whether all that has changed since a look is still known. */
  reachesBackTo(look: number): boolean
  /** Members of a frame, with a comma before each: what has changed since a look; everything after look 0. */
  changesSince(look: number): string
}

/** What a stream was sent of a server that it shows. The texts are shared, and compared to know what is new. */
export interface SentServer {
  seen: number
  host: string
  report: string
}

export interface FleetChanges {
  createView(): FleetView
  /**
   * What is new of one server that is shown, as JSON of a `ShownServer`; `undefined` where nothing is, or this person does
   * not see it. Changes `sent`.
   */
  shown(person: Person | undefined, id: number, sent: Map<number, SentServer>): string | undefined
  /**
   * What lists sort by, of all servers that this person sees, as JSON of `ServerValues` without its number. Others get
   * their turn meanwhile.
   */
  values(person: Person | undefined): Promise<string>
}

/** Servers that were removed so many looks ago are forgotten; who has had no frame for that long gets everything anew. */
const goneLooks = 100

export function createFleetChanges(
  store: Store,
  machines: Machines,
  access: ServerAccess,
  now = Date.now,
): FleetChanges {
  const table = entityTable(store, server)
  const hosts = createHostTexts()

  function createView(): FleetView {
    const presences = new Map<number, Presence>()
    /** Servers that are no longer seen, and the look that missed them first. */
    const gone = new Map<number, number>()
    let looks = 0
    let changedAt = 0
    let underWay: Promise<void> | undefined
    let next: Promise<void> | undefined

    function note(row: ServerRow, look: number): void {
      const before = presences.get(row.id)
      const presence = before ?? { isOnline: false, seen: 0, fullPercent: 0, seenAt: look, changedAt: look }
      const isOnline = machines.connected(row) !== undefined
      const seen = isOnline ? 0 : lastSeen(row)
      const used = isOnline ? machines.metric(row, 'disk_used') : undefined
      const fullPercent = fullDiskPercent(used, machines.hostOf(row).disk_total, presence.fullPercent > 0) ?? 0
      if (isOnline !== presence.isOnline || seen !== presence.seen || fullPercent !== presence.fullPercent || !before) {
        Object.assign(presence, { isOnline, seen, fullPercent, changedAt: look })
        changedAt = look
      }
      presence.seenAt = look
      if (before) return
      presences.set(row.id, presence)
      gone.delete(row.id)
    }

    /** Beginning with 1: after look 0, everything is sent. */
    const reachesBackTo = (look: number) => look > 0 && look >= looks - goneLooks

    async function lookNow(person: Person | undefined): Promise<void> {
      const turn = takeTurns(leaveTurn)
      const look = looks + 1
      for (const row of table.all()) {
        if (access.canSee(person, row)) note(row, look)
        await turn()
      }
      for (const [id, { seenAt }] of presences) {
        if (seenAt === look) continue
        presences.delete(id)
        gone.set(id, look)
        changedAt = look
      }
      for (const [id, since] of gone) if (since <= look - goneLooks) gone.delete(id)
      looks = look
    }

    function look(person: Person | undefined): Promise<void> {
      if (!underWay) {
        underWay = lookNow(person).finally(() => {
          underWay = undefined
        })
        return underWay
      }
      const lookAgain = () => {
        next = undefined
        return look(person)
      }
      // What the one that has begun has passed may have been hidden since.
      next ??= underWay.then(lookAgain, lookAgain)
      return next
    }

    return {
      look,
      get looks() {
        return looks
      },
      reachesBackTo,
      changesSince(since) {
        if (since >= changedAt) return ''
        const online: number[] = []
        const offline: OfflineSince[] = []
        const full: [number, number][] = []
        for (const [id, { isOnline, seen, fullPercent, changedAt }] of presences) {
          if (changedAt <= since) continue
          if (isOnline) online.push(id)
          else offline.push([id, seen || null])
          // Those of servers that were online before are known.
          if (fullPercent > 0 || since > 0) full.push([id, fullPercent])
        }
        const left = since > 0 ? [...gone].flatMap(([id, look]) => (look > since ? id : [])) : []
        return `${list('online', online)}${list('offline', offline)}${list('full_disks', full)}${list('gone', left)}`
      },
    }
  }

  /** A server that has not reported since this one knows it may have been running when its record was made. */
  function lastSeen(row: ServerRow): number {
    const known = machines.lastSeen(row)
    if (known !== undefined) return known
    const { boot_time } = machines.hostOf(row)
    const uptime = machines.metric(row, 'uptime')
    return boot_time && uptime ? (boot_time + uptime) * 1000 : 0
  }

  return {
    createView,
    shown(person, id, sent) {
      const row = table.get(id)
      if (!row || !access.canSee(person, row)) {
        sent.delete(id)
        return undefined
      }
      const isListed = access.isListed(person, row)
      const { missing, duplicate_uuid } = machines.wireReport(row)
      const more = { ...(missing && { missing }), ...(isListed && duplicate_uuid && { duplicate_uuid }) }
      const report = `{"state":${machines.stateJson(row)}${JSON.stringify(more)
        .slice(1, -1)
        .replace(/^(?=.)/, ',')}}`
      const fresh: SentServer = { seen: lastSeen(row), host: hosts.of(machines.hostOf(row), isListed), report }
      const before = sent.get(id)
      sent.set(id, fresh)
      const members = [
        ...(fresh.seen !== before?.seen ? [`"seen":${fresh.seen}`] : []),
        ...(fresh.host !== before?.host ? [`"host":${fresh.host}`] : []),
        ...(fresh.report !== before?.report ? [`"report":${fresh.report}`] : []),
      ]
      return members.length > 0 ? `{"id":${id},${members.join()}}` : undefined
    },
    async values(person) {
      // Somebody who has clicked waits for it.
      const turn = takeTurns()
      const at = now()
      const found = {
        now: at,
        ids: [] as number[],
        age: [] as (number | null)[],
        mem_total: [] as number[],
        disk_total: [] as number[],
        metrics: sortedMetrics.map(() => [] as (number | null)[]),
      } satisfies Omit<ServerValues, 'values'>
      for (const row of table.all()) {
        await turn()
        if (!access.canSee(person, row)) continue
        const seen = lastSeen(row)
        const { mem_total = 0, disk_total = 0 } = machines.hostOf(row)
        found.ids.push(row.id)
        found.age.push(seen ? at - seen : null)
        found.mem_total.push(mem_total)
        found.disk_total.push(disk_total)
        for (const [place, name] of sortedMetrics.entries()) {
          const value = machines.metric(row, name)
          found.metrics[place]?.push(
            value === undefined ? null : name === 'cpu' ? Math.round(value * 100) / 100 : value,
          )
        }
      }
      return JSON.stringify(found)
    },
  }
}

const list = (name: string, values: readonly unknown[]) =>
  values.length > 0 ? `,"${name}":${JSON.stringify(values)}` : ''
