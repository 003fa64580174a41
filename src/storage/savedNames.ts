import type { Query, QueryClient } from '@tanstack/react-query'

/** Entities whose names are saved between visits, for cells that refer to them before the list has arrived. */
const savedEntities = ['server', 'notification']

type Names = Readonly<Record<string, string>>

const keyOf = (entity: string) => `wheelhouse.names.${entity}`
const namesByEntity = new Map<string, Names>()

/** The name that a record had when its list was last read; `undefined` when it is not saved. */
export function savedName(entity: string, id: number | string): string | undefined {
  if (!savedEntities.includes(entity)) return undefined
  const names = namesByEntity.get(entity) ?? readNames(entity)
  namesByEntity.set(entity, names)
  return Object.hasOwn(names, id) ? names[id] : undefined
}

/** Saves id and name, and nothing else, of the lists in this cache, now and when they arrive. @returns how to stop it */
export function saveNames(queryClient: QueryClient): () => void {
  const cache = queryClient.getQueryCache()
  // The first list is drawn with its rows, which have arrived by then.
  for (const query of cache.getAll()) if (query.state.status === 'success') save(query)
  return cache.subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'success') save(event.query)
  })
}

function save({ queryKey: [root, entity], state }: Query): void {
  if (root === 'collection' && savedEntities.includes(String(entity))) write(String(entity), state.data)
}

export function clearSavedNames(): void {
  namesByEntity.clear()
  try {
    for (const entity of savedEntities) localStorage.removeItem(keyOf(entity))
  } catch {
    // Storage that is forbidden holds nothing either.
  }
}

function write(entity: string, rows: unknown): void {
  const named = (Array.isArray(rows) ? rows : []).filter(({ name }) => typeof name === 'string' && name !== '')
  const names: Names = Object.fromEntries(named.map(({ id, name }) => [id, name]))
  namesByEntity.set(entity, names)
  try {
    localStorage.setItem(keyOf(entity), JSON.stringify(names))
  } catch {
    // Storage is full or forbidden: cells show ids until the list has arrived.
  }
}

function readNames(entity: string): Names {
  try {
    return (JSON.parse(localStorage.getItem(keyOf(entity)) ?? '{}') as Names | null) ?? {}
  } catch {
    return {}
  }
}
