import { type DBSchema, type IDBPDatabase, type IDBPTransaction, openDB } from 'idb'
import { changesDatabase } from '../storage/forgetChanges.ts'
import { actionKey, type ChangeVerb } from './actionKey.ts'
import type { RecordChange } from './recordChange.ts'

/** How much of what people changed a browser holds to take it back. */
export const changeLimits = {
  /** Milliseconds: a day. */
  ageMs: 24 * 60 * 60_000,
  /** Records of all actions together: more than a bulk edit of every server of a large fleet. */
  records: 20_000,
  /** Characters of all records together, as JSON. */
  chars: 32_000_000,
  /** Characters of one record, as JSON: a form with everything at its longest. */
  recordChars: 2_000_000,
} as const

/** What one action of a person did to records of an entity: an entry of "Recent changes". */
export interface ChangeAction {
  /** See `actionKey`. */
  key: string
  /** Whose it is: see `accountKey`. */
  account: string
  entity: string
  verb: ChangeVerb
  /** When it began, ms since 1970 by the browser's clock. */
  at: number
  /** How many records it changed. */
  count: number
  /** Characters of its records. */
  chars: number
  /** What its first record was called. */
  name: string
  /** The fields that it changed, secrets included; of a deletion none. */
  fields: readonly string[]
  /** How many of its records were taken back. */
  undone: number
  /** The new ids of restored records, by their old ones. */
  newIds: Readonly<Record<string, number | string>>
  /** Whether there was no room for its records: it cannot be taken back. */
  isTooLarge?: boolean
}

/** A record of an action as it is stored. */
export interface StoredChange extends RecordChange {
  key: number
  action: string
  /** The id of the record that was created in its place. */
  newId?: number | string
  isUndone?: boolean
  /** When a tab began to restore it, ms since 1970. */
  claimedAt?: number
}

interface Schema extends DBSchema {
  actions: { key: string; value: ChangeAction; indexes: { account: string } }
  changes: { key: number; value: Omit<StoredChange, 'key'> & { key?: number }; indexes: { action: string } }
}

/** A change on its way into the database. */
export interface NewChanges {
  account: string
  group: string
  entity: string
  verb: ChangeVerb
  changes: readonly RecordChange[]
  now?: number
}

/** Opens the database of this browser, works with it and closes it: no tab keeps another from deleting it. */
async function withDatabase<T>(work: (database: IDBPDatabase<Schema>) => Promise<T>): Promise<T> {
  const database = await openDB<Schema>(changesDatabase, 1, {
    upgrade(created) {
      created.createObjectStore('actions', { keyPath: 'key' }).createIndex('account', 'account')
      created.createObjectStore('changes', { keyPath: 'key', autoIncrement: true }).createIndex('action', 'action')
    },
    blocking: (_current, _blocked, event) => (event.target as IDBDatabase).close(),
  })
  try {
    return await work(database)
  } finally {
    database.close()
  }
}

type Writing = IDBPTransaction<Schema, ['actions', 'changes'], 'readwrite'>

const write = <T>(work: (transaction: Writing) => Promise<T>): Promise<T> =>
  withDatabase(async (database) => {
    const transaction = database.transaction(['actions', 'changes'], 'readwrite')
    const result = await work(transaction)
    await transaction.done
    return result
  })

/** Adds records to an action, and makes room for them. @returns the keys of the records; none when they are too large */
export const addChanges = ({
  account,
  group,
  entity,
  verb,
  changes,
  now = Date.now(),
}: NewChanges): Promise<number[]> =>
  write(async (transaction) => {
    const key = actionKey(group, entity, verb)
    const actions = transaction.objectStore('actions')
    const others = (await actions.getAll()).filter((one) => one.key !== key)
    const before = await actions.get(key)
    const sizes = changes.map((change) => JSON.stringify(change).length)
    const action: ChangeAction = {
      key,
      account,
      entity,
      verb,
      at: freeTime(others, now),
      name: changes[0]?.name ?? '',
      undone: 0,
      newIds: {},
      ...before,
      count: (before?.count ?? 0) + changes.length,
      chars: sizes.reduce((sum, size) => sum + size, before?.chars ?? 0),
      fields: [...new Set([...(before?.fields ?? []), ...changes.flatMap(changedFields)])],
    }
    const isTooLarge = action.isTooLarge || isOverLimit(action) || sizes.some((size) => size > changeLimits.recordChars)
    await removeActions(transaction, expiredActions([...others, action], account, now))
    if (isTooLarge) {
      await removeActions(transaction, [key])
      await actions.put({ ...action, chars: 0, isTooLarge })
      return []
    }
    await actions.put(action)
    const records = transaction.objectStore('changes')
    return Promise.all(changes.map((change) => records.add({ ...change, action: key })))
  })

/** The first millisecond from `now` on in which no action began: their times are their order. */
function freeTime(actions: readonly ChangeAction[], now: number): number {
  const taken = new Set(actions.map(({ at }) => at))
  let at = now
  while (taken.has(at)) at += 1
  return at
}

/** Removes records that were not changed after all. */
export const withdrawChanges = (keys: readonly number[]): Promise<void> =>
  write(async (transaction) => {
    const [actions, records] = [transaction.objectStore('actions'), transaction.objectStore('changes')]
    for (const key of keys) {
      const change = await records.get(key)
      const action = change && (await actions.get(change.action))
      await records.delete(key)
      if (!action) continue
      if (action.count > 1) await actions.put({ ...action, count: action.count - 1 })
      else await actions.delete(action.key)
    }
  })

/** The actions of an account that can still be taken back, latest first; all others are deleted. */
export const readActions = (account: string, now = Date.now()): Promise<ChangeAction[]> =>
  write(async (transaction) => {
    const actions = await transaction.objectStore('actions').getAll()
    const expired = new Set(expiredActions(actions, account, now))
    await removeActions(transaction, [...expired])
    return actions.filter(({ key }) => !expired.has(key)).toSorted((a, b) => b.at - a.at)
  })

/** The records of an action, in the order in which they were changed. */
export const readChanges = (action: string): Promise<StoredChange[]> =>
  // The keys are there: the database made them.
  withDatabase((database) => database.getAllFromIndex('changes', 'action', action) as Promise<StoredChange[]>)

/**
 * Takes a record for restoring it, so that no other tab restores it too.
 * @returns whether it was free
 */
export const claimChange = (key: number, now = Date.now()): Promise<boolean> =>
  write(async (transaction) => {
    const records = transaction.objectStore('changes')
    const change = await records.get(key)
    if (!change || change.isUndone || now - (change.claimedAt ?? 0) < claimMs) return false
    await records.put({ ...change, claimedAt: now })
    return true
  })

/** Notes how far the taking back of a record came. */
export const updateChange = (
  key: number,
  update: Pick<StoredChange, 'newId' | 'isUndone'> & { claimedAt?: number },
): Promise<void> =>
  write(async (transaction) => {
    const [actions, records] = [transaction.objectStore('actions'), transaction.objectStore('changes')]
    const change = await records.get(key)
    const action = change && (await actions.get(change.action))
    if (!change || !action) return
    await records.put({ ...change, ...update })
    const isFirst = update.isUndone && !change.isUndone
    const newIds = update.newId === undefined ? {} : { [change.recordId]: update.newId }
    await actions.put({
      ...action,
      undone: action.undone + (isFirst ? 1 : 0),
      newIds: { ...action.newIds, ...newIds },
    })
  })

/** Milliseconds after which a record that a tab began to restore may be restored again: that tab was closed. */
const claimMs = 60_000

const isOverLimit = ({ count, chars }: ChangeAction) => count > changeLimits.records || chars > changeLimits.chars

const changedFields = ({ before, after, secrets }: RecordChange): string[] =>
  after ? [...Object.keys({ ...before, ...after }), ...secrets] : []

async function removeActions(transaction: Writing, actions: readonly string[]): Promise<void> {
  const records = transaction.objectStore('changes')
  for (const action of actions) {
    await transaction.objectStore('actions').delete(action)
    for (const key of await records.index('action').getAllKeys(action)) await records.delete(key)
  }
}

/**
 * The actions that are no longer stored: those of other accounts, those that are older than a day, and the oldest ones
 * while all together are too large.
 * @param account who is signed in
 */
export function expiredActions(actions: readonly ChangeAction[], account: string, now: number): string[] {
  // A clock that was set back makes an action look new for ever.
  const own = actions.filter((one) => one.account === account && Math.abs(now - one.at) < changeLimits.ageMs)
  let [records, chars] = [0, 0]
  const stays = new Set<string>()
  for (const one of own.toSorted((a, b) => b.at - a.at)) {
    records += one.isTooLarge ? 0 : one.count
    chars += one.chars
    if (records <= changeLimits.records && chars <= changeLimits.chars) stays.add(one.key)
  }
  return actions.flatMap(({ key }) => (stays.has(key) ? [] : [key]))
}
