import { useSyncExternalStore } from 'react'
import { createEmitter } from '../events/emitter.ts'
import type { FullDisks, OfflineServers } from './feedMessages.ts'

/** What is known of all servers as of the newest frame, on screen or not. */
interface Fleet {
  offline?: OfflineServers
  fullDisks?: FullDisks
}

let fleet: Fleet = {}
const changes = createEmitter()

/** Takes what has changed; `undefined` forgets all of it. */
export function setFleet(changed: Fleet | undefined): void {
  const { offline = fleet.offline, fullDisks = fleet.fullDisks } = changed ?? {}
  fleet = changed ? { offline, fullDisks } : {}
  changes.emit()
}

/** The servers that are offline; `undefined` before the first frame. */
export const useOfflineServers = (): OfflineServers | undefined =>
  useSyncExternalStore(changes.subscribe, () => fleet.offline)

/** The servers whose disks are full; `undefined` before the first frame. */
export const useFullDisks = (): FullDisks | undefined => useSyncExternalStore(changes.subscribe, () => fleet.fullDisks)
