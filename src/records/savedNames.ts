import type { QueryClient } from '@tanstack/react-query'

/** Their names are kept between visits, for cells that refer to them before the list has arrived. */
const kept = ['server', 'notification']

type Names = Readonly<Record<string, string>>

const keyOf = (entity: string) => `wheelhouse.names.${entity}`
const read = new Map<string, Names>()

/** The name that a record had when its list was last read; `undefined` when nobody remembers. */
export function keptName(entity: string, id: number | string): string | undefined {
  if (!kept.includes(entity)) return undefined
  const names = read.get(entity) ?? readNames(entity)
  read.set(entity, names)
  return Object.hasOwn(names, id) ? names[id] : undefined
}

/** Keeps id and name, and nothing else, of the lists that arrive in this cache. Returns how to stop. */
export function keepNames(queryClient: QueryClient): () => void {
  return queryClient.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success') return
    const [root, entity] = event.query.queryKey
    if (root === 'collection' && kept.includes(String(entity))) write(String(entity), event.query.state.data)
  })
}

export function forgetNames(): void {
  read.clear()
  try {
    for (const entity of kept) localStorage.removeItem(keyOf(entity))
  } catch {
    // Nothing was kept.
  }
}

function write(entity: string, rows: unknown): void {
  const named = (Array.isArray(rows) ? rows : []).filter(({ name }) => typeof name === 'string' && name !== '')
  const names: Names = Object.fromEntries(named.map(({ id, name }) => [id, name]))
  read.set(entity, names)
  try {
    localStorage.setItem(keyOf(entity), JSON.stringify(names))
  } catch {
    // A full or forbidden store: cells show ids until the list has arrived.
  }
}

function readNames(entity: string): Names {
  try {
    return (JSON.parse(localStorage.getItem(keyOf(entity)) ?? '{}') as Names | null) ?? {}
  } catch {
    return {}
  }
}
