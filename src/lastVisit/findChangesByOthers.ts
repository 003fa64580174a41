import type { ConsoleDataProvider } from '../dataProvider.ts'
import { whenIdle } from '../events/whenIdle.ts'
import { ownWrites, subscribeToOwnWrites } from '../records/ownWrites.ts'
import { everyRow } from '../records/queryRows.ts'
import { allows } from '../schemas/define/access.ts'
import { describeFields, isConcealed } from '../schemas/define/describe.ts'
import type { Entity } from '../schemas/define/entity.ts'
import type { Values } from '../schemas/define/values.ts'
import { changeEndpoints } from '../schemas/endpoints/changeEndpoints.ts'
import { entities } from '../schemas/index.ts'
import type { CurrentUser } from '../session/currentUser.ts'
import { announceChangesByOthers, type ListDifference } from './changesByOthers.ts'

type Caller = Pick<ConsoleDataProvider, 'call' | 'getList'>

/** Changes that are shown; others are only counted. */
const mostShown = 200
/** Milliseconds: after a bulk edit, the state is saved once. */
const saveDelayMs = 1_000

/**
 * Finds out what others have changed since this person's last visit in this browser, and announces it. The first visit
 * only remembers what there is.
 * @param hasChanges whether the server records changes
 */
export async function findChangesByOthers(provider: Caller, user: CurrentUser, hasChanges: boolean): Promise<void> {
  await (hasChanges ? readChanges(provider, user) : compareWithLastVisit(provider, user))
}

async function readChanges({ call }: Caller, user: CurrentUser): Promise<void> {
  const state = readSeen(user)
  const latest = (await call(changeEndpoints.changes, { limit: 1 })).value[0]?.id ?? 0
  const remember = (changeId: number) => writeSeen(user, { ...readSeen(user), changeId })
  const seen = state.changeId
  // After a restored backup, numbers of changes are lower than before.
  if (seen === undefined || latest < seen) return remember(latest)
  if (latest === seen) return
  const { value, pagination } = await call(changeEndpoints.changes, { after: seen, limit: mostShown })
  if (value.length === 0) return remember(latest)
  announceChangesByOthers({ kind: 'recorded', changes: value, total: pagination.total }, () => remember(latest))
}

async function compareWithLastVisit(provider: Caller, user: CurrentUser): Promise<void> {
  const state = readSeen(user)
  const differences: ListDifference[] = []
  const unseen: SeenState['lists'] = {}
  for (const entity of Object.values(entities).filter((one) => isCompared(one, user))) {
    const now = await hashNow(provider, entity, state.salt)
    if (!now) continue
    const seen = state.lists[entity.name]
    const difference = seen && compareLists(entity.name, withOwnWrites(seen, ownWrites.get(entity.name)), now)
    if (difference) {
      differences.push(difference)
      unseen[entity.name] = now
    } else {
      state.lists[entity.name] = now
    }
  }
  const save = (lists: SeenState['lists']) => {
    const saved = { ...readSeen(user).lists, ...lists }
    const marked = Object.entries(saved).map(([name, list]) => [name, withOwnWrites(list, ownWrites.get(name))])
    writeSeen(user, { ...state, lists: Object.fromEntries(marked) })
  }
  save(state.lists)
  saveOwnWrites(() => save({}))
  if (differences.length > 0) announceChangesByOthers({ kind: 'compared', differences }, () => save(unseen))
}

/** Lists of records that people edit, on every server, and that this person may read. */
const isCompared = ({ api, access }: Entity, { role }: CurrentUser) =>
  api.paging === 'whole' && api.verbs.length > 0 && !api.announced && allows(role, access.list)

async function hashNow({ getList }: Caller, entity: Entity, salt: string) {
  await new Promise<void>((resume) => whenIdle(resume))
  try {
    const sort = { field: 'id', order: 'ASC' as const }
    const { data } = await getList(entity.name, { pagination: everyRow, sort, filter: {} })
    return data.length > mostCompared ? undefined : hashList(entity, data, salt)
  } catch (error) {
    // A list that cannot be read now is compared at the next visit.
    console.warn(error)
    return undefined
  }
}

/** The list, as if the person had seen what they wrote: records that they deleted count as well. */
function withOwnWrites(
  list: SeenState['lists'][string],
  ids: ReadonlySet<string> = new Set(),
): SeenState['lists'][string] {
  if (ids.size === 0) return list
  return { ...list, hashes: { ...list.hashes, ...Object.fromEntries([...ids].map((id) => [id, ''])) } }
}

/** Saves after writes of this page, a moment later or when it goes. */
function saveOwnWrites(save: () => void): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = () => {
    if (timer === undefined) return
    clearTimeout(timer)
    timer = undefined
    save()
  }
  subscribeToOwnWrites(() => {
    timer ??= setTimeout(flush, saveDelayMs)
  })
  window.addEventListener('pagehide', flush)
}

/** What an account has seen in this browser, of the server at this address. */
interface SeenState {
  /** A random text, for the hashes. */
  salt: string
  /** Milliseconds since 1970. */
  savedAt: number
  /** The latest change, where the server records them. */
  changeId?: number
  /** By entity, where it does not. */
  lists: Record<string, SeenList>
}

const prefix = 'wheelhouse.seen.'
/** Accounts whose state is kept; that of the one whose last visit is the longest ago goes. */
const mostAccounts = 3

const keyOf = ({ id, fullName }: Pick<CurrentUser, 'id' | 'fullName'>) => `${prefix}${id}.${fullName}`

/** @returns an empty state for a first visit, or where the browser forbids its store */
function readSeen(user: Pick<CurrentUser, 'id' | 'fullName'>): SeenState {
  try {
    const state = JSON.parse(localStorage.getItem(keyOf(user)) ?? 'null') as SeenState | null
    if (state?.salt && state.lists) return state
  } catch {
    // What cannot be read counts as a first visit.
  }
  return { salt: crypto.getRandomValues(new Uint32Array(4)).join(), savedAt: 0, lists: {} }
}

function writeSeen(user: Pick<CurrentUser, 'id' | 'fullName'>, state: SeenState): void {
  const key = keyOf(user)
  try {
    localStorage.setItem(key, JSON.stringify({ ...state, savedAt: Date.now() }))
    const others = Object.keys(localStorage).filter((one) => one.startsWith(prefix) && one !== key)
    const savedAt = (one: string) => (JSON.parse(localStorage.getItem(one) ?? '{}') as Partial<SeenState>).savedAt ?? 0
    const dated = others.map((one) => ({ one, at: savedAt(one) })).sort((a, b) => b.at - a.at)
    for (const { one } of dated.slice(mostAccounts - 1)) localStorage.removeItem(one)
  } catch {
    // Storage is full or forbidden: the next visit compares with an older one, or with none.
  }
}

/** A list as a person has seen it: a hash for each record, and never its contents. */
interface SeenList {
  /** Of the names of the hashed fields: another version of the console knows others. */
  fields: string
  /** By id. The empty text: the person has written the record since, so that whatever it holds was seen. */
  hashes: Record<string, string>
}

/** Lists that are longer are not compared. */
const mostCompared = 20_000

/**
 * The hashes of a list as it is now.
 * @param salt a random text of this browser, so that hashes of two browsers cannot be compared
 */
export function hashList(entity: Entity, rows: readonly Values[], salt: string): SeenList {
  const names = describeFields(entity)
    .filter((field) => field.editable && !field.transient && !isConcealed(field))
    .map(({ name }) => name)
  const hashRow = (row: Values) => hash(JSON.stringify([salt, row.id, ...names.map((name) => meaningOf(row[name]))]))
  return {
    fields: hash(names.join()),
    hashes: Object.fromEntries(rows.map((row) => [String(row.id), hashRow(row)])),
  }
}

/** @returns `undefined` when nothing is different, or when the two cannot be compared */
export function compareLists(entity: string, seen: SeenList, now: SeenList): ListDifference | undefined {
  if (seen.fields !== now.fields) return undefined
  const added = Object.keys(now.hashes).filter((id) => !(id in seen.hashes))
  const changed = Object.keys(now.hashes).filter((id) => seen.hashes[id] && seen.hashes[id] !== now.hashes[id])
  const removed = Object.keys(seen.hashes).filter((id) => seen.hashes[id] && !(id in now.hashes))
  return added.length + changed.length + removed.length > 0 ? { entity, added, changed, removed } : undefined
}

/** The same for all values that mean "nothing": servers leave them out, or send them, as they like. */
function meaningOf(value: unknown): unknown {
  if (!value) return null
  if (typeof value === 'object' && Object.keys(value).length === 0) return null
  return value
}

/** 64 bits of FNV-1a, as two halves of 32: short enough for ten thousand of them, long enough to tell them apart. */
function hash(text: string): string {
  let [first, second] = [0x811c9dc5, 0x01000193]
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    first = Math.imul(first ^ code, 0x01000193)
    second = Math.imul(second ^ (code + index), 0x01000193)
  }
  return (first >>> 0).toString(36) + (second >>> 0).toString(36)
}
