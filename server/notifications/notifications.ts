import { setTimeout as wait } from 'node:timers/promises'
import { notification } from '../../src/schemas/notification.ts'
import { notificationGroup } from '../../src/schemas/notificationGroup.ts'
import { server } from '../../src/schemas/server.ts'
import { cachedRow } from '../db/cachedRows.ts'
import type { Store } from '../db/store.ts'
import { entityTable } from '../entities/entityTable.ts'
import type { Log } from '../log.ts'
import type { Machines } from '../machines/machines.ts'
import { createConcurrencyLimit } from '../outbound/concurrencyLimit.ts'
import type { MayCallPrivateTargets } from '../outbound/privateTargets.ts'
import type { KeptNotifier, Parcel } from './attempt.ts'
import type { Deliveries } from './deliveries.ts'
import { openMuting } from './muting.ts'
import { createReceiver, type Receiver } from './notifierQueue.ts'
import { type Placeholders, placeholdersOf } from './notifierRequest.ts'
import { serverPlaceholders } from './serverPlaceholders.ts'

/** What somebody is to be told. */
export interface Notice {
  /** The group of notifiers; 0 is nobody. */
  groupId: number
  /** As it is said; what `#NEZHA#` stands for. */
  message: string
  /** The server that it is about: its name and figures fill the other placeholders. */
  serverId?: number
  /** Notices of one key are repeated with a growing pause, up to a day. Without it, each is sent. */
  muteKey?: string
  /** The trouble of this key is over: its next notice is sent at once. */
  unmutes?: string
}

/** The way to the notifiers. Nobody waits for a delivery: how it went is logged. */
export interface Notices {
  send(notice: Notice): void
  /** Gives up what is under way, in a second or two. */
  stop(): Promise<void>
}

export interface NoticeServices {
  store: Store
  machines: Pick<Machines, 'connected' | 'wireReport'>
  mayCallPrivateTargets: MayCallPrivateTargets
  deliveries: Deliveries
  log: Pick<Log, 'error'>
  /** Milliseconds since 1970. */
  now?: () => number
  /** Resolves after so many milliseconds, or rejects when `signal` is aborted. */
  pause?: (ms: number, signal: AbortSignal) => Promise<void>
}

/** Calls under way at once, over all notifiers: a server has only so many connections to give. */
const mostCalls = 256
/** What an end waits for calls that are nearly through. */
const lastPatienceMs = 400

const usualPause = (ms: number, signal: AbortSignal) => wait(ms, undefined, { signal, ref: false })

export function createNotices(services: NoticeServices): Notices {
  const { store, machines, mayCallPrivateTargets, deliveries, now = Date.now, pause = usualPause } = services
  const onError = (error: unknown) => services.log.error('A notice could not be dealt with:', error)
  const muting = openMuting({ store, now, onFailure: onError })
  const notifiers = entityTable(store, notification)
  const groups = entityTable(store, notificationGroup)
  const servers = entityTable(store, server)
  const receivers = new Map<number, Receiver>()
  const slots = createConcurrencyLimit(mostCalls)
  const ending = new AbortController()
  let isStopped = false

  function receiverOf(id: number): Receiver {
    const known = receivers.get(id)
    if (known) return known
    const made = createReceiver({
      // The row has every column of the entity.
      notifier: () => cachedRow(notifiers, id) as unknown as KeptNotifier | undefined,
      log: deliveries.write,
      onIdle: () => receivers.delete(id),
      signal: ending.signal,
      ...{ mayCallPrivateTargets, slots, now, pause, onError },
    })
    receivers.set(id, made)
    return made
  }

  function parcelOf({ groupId, message, serverId }: Notice, groupName: string): Parcel {
    const at = now()
    const row = serverId === undefined ? undefined : cachedRow(servers, serverId)
    // As the server is now, however long the notice waits.
    const report = row && machines.connected(row) ? machines.wireReport(row) : undefined
    const made = new Map<boolean, Placeholders>()
    return {
      ...{ message, groupId, groupName, at },
      placeholders(withUnits) {
        const known = made.get(withUnits)
        if (known) return known
        const filled = { ...placeholdersOf(message, at), ...(row && serverPlaceholders(row, report, withUnits)) }
        made.set(withUnits, filled)
        return filled
      },
    }
  }

  return {
    send(notice) {
      if (notice.unmutes !== undefined) muting.end(notice.unmutes)
      if (isStopped || notice.groupId === 0) return
      const group = cachedRow(groups, notice.groupId)
      const members = group?.notifications as number[] | null | undefined
      if (!members?.length) return
      if (notice.muteKey !== undefined && !muting.letsPass(notice.muteKey)) return
      const parcel = parcelOf(notice, group?.name as string)
      for (const id of new Set(members)) receiverOf(id).add(parcel)
    },
    async stop() {
      isStopped = true
      const late = setTimeout(() => ending.abort(), lastPatienceMs)
      await Promise.all([...receivers.values()].map((receiver) => receiver.stop()))
      clearTimeout(late)
      ending.abort()
      deliveries.flush()
      muting.flush()
    },
  }
}
