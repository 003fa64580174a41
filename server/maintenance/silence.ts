import type { Mutes } from './mutes.ts'
import type { OpenWindows } from './openWindows.ts'

/**
 * Why nobody is notified. `maintenance`: somebody works on it, so no tasks are triggered either, and checks do not
 * count. `muted`: everything goes on as usual, without notifications.
 */
export type Silence = 'maintenance' | 'muted'

/**
 * The owner of what belongs to the whole site, as messages about addresses and contracts: only windows and mutes of
 * administrators silence it.
 */
export const siteOwner = 0

/** What is silent now. `ownerId` is whose rule or service it is. */
export interface Silences {
  windows: OpenWindows
  mutes: Mutes
  ofAlarm(alarm: { server_id: number; rule_id: number }, ownerId: number): Silence | undefined
  ofServer(serverId: number, ownerId: number): Silence | undefined
  ofService(serviceId: number, ownerId: number): Silence | undefined
}

export const createSilences = (windows: OpenWindows, mutes: Mutes): Silences => ({
  windows,
  mutes,
  ofAlarm(alarm, ownerId) {
    if (windows.untilOfServer(alarm.server_id, ownerId) !== undefined) return 'maintenance'
    return mutes.hasAlarm(alarm, ownerId) ? 'muted' : undefined
  },
  ofServer(serverId, ownerId) {
    if (windows.untilOfServer(serverId, ownerId) !== undefined) return 'maintenance'
    return mutes.hasServer(serverId, ownerId) ? 'muted' : undefined
  },
  ofService(serviceId, ownerId) {
    if (windows.untilOfService(serviceId, ownerId) !== undefined) return 'maintenance'
    return mutes.hasService(serviceId, ownerId) ? 'muted' : undefined
  },
})
