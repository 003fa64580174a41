import { HttpError } from 'ra-core'
import type { WriteMeta } from '../records/writeRecords.ts'
import { actionKey, type ChangeVerb } from './actionKey.ts'
import { newChangeGroup } from './changeGroup.ts'

type Storage = typeof import('./storedChanges.ts')

/** Stores what takes a write back. @returns the keys of what was stored */
type StoreChange = (storage: Storage, action: { account: string; group: string }) => Promise<number[]>

/**
 * Makes a write that can be taken back. `write` calls `store` before it sends anything: what was stored only afterwards
 * would be lost with a closed tab. A write that the server refuses is forgotten again. Failures of the storage never
 * stop a write.
 */
export type ChangeRecorder = <T>(
  of: { entity: string; verb: ChangeVerb },
  meta: WriteMeta,
  write: (store: (change: StoreChange) => Promise<void>) => Promise<T>,
) => Promise<T>

/** The group of the last write of each kind, if it was stored. */
const lastGroups = new Map<string, string>()

/**
 * Names the action of the last write of this tab, for the link that takes it back; `undefined` when it was not stored.
 * A bulk edit asks after its last record.
 */
export function lastAction(entity: string, verb: ChangeVerb): string | undefined {
  const group = lastGroups.get(`${entity} ${verb}`)
  return group && actionKey(group, entity, verb)
}

/** Writes, and stores nothing. */
export const recordNothing: ChangeRecorder = (_of, _meta, write) => write(() => Promise.resolve())

/**
 * @param account tells whose changes these are; `undefined` while nobody is signed in
 * @param load fetches what the first list can do without
 */
export function createChangeRecorder(
  account: () => string | undefined,
  load: () => Promise<Storage> = () => import('./storedChanges.ts'),
): ChangeRecorder {
  return async (of, meta, write) => {
    const owner = account()
    if (owner === undefined || meta.isPartOfUndo || !globalThis.indexedDB) return recordNothing(of, meta, write)
    const group = meta.changeGroup ?? newChangeGroup()
    // Starts now, in parallel to the calls of the write.
    const loading = load()
    const kind = `${of.entity} ${of.verb}`
    // Writes of one action run beside each other, and some of them fail.
    if (lastGroups.get(kind) !== group) lastGroups.delete(kind)
    let keys: number[] = []
    const store = async (change: StoreChange) => {
      try {
        keys = await change(await loading, { account: owner, group })
        if (keys.length > 0) lastGroups.set(kind, group)
      } catch (error) {
        console.warn('This change cannot be taken back later.', error)
      }
    }
    loading.catch(() => {})
    try {
      return await write(store)
    } catch (error) {
      if (isRefusal(error)) await loading.then((storage) => storage.withdrawChanges(keys)).catch(() => {})
      throw error
    }
  }
}

/** Whether a server answered that it did nothing. Without an answer it may have done it. */
const isRefusal = (error: unknown) => !(error instanceof HttpError) || (error.status > 0 && error.status < 500)
