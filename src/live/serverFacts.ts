import { useSyncExternalStore } from 'react'
import { createEmitter } from '../events/emitter.ts'

/** What a page asks about servers besides their rows and live state, by server. */
export function createServerFacts<Fact extends { server_id: number }>() {
  let byServer: ReadonlyMap<number, Fact> = new Map()
  let version = 0
  const { subscribe, emit } = createEmitter()
  const of = (id: number | string | undefined) => byServer.get(Number(id))
  return {
    /** @param facts those of all servers of which this page may know */
    set(facts: readonly Fact[]) {
      byServer = new Map(facts.map((fact) => [fact.server_id, fact]))
      version += 1
      emit()
    },
    /** As it was asked last; `undefined` before, and of servers of others. */
    of,
    use: (id: number | string | undefined) => useSyncExternalStore(subscribe, () => of(id)),
    /** Changes when it was asked anew: rows that are sorted by it are sorted again. */
    state: { subscribe, version: () => version },
  }
}
