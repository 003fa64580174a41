type Bindings = Readonly<Record<string, string>>

const key = 'wheelhouse.bindings'

/** Before the browser leaves for a provider: what was bound, to tell afterwards what is new. */
export function rememberBindings(bindings: Bindings): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(bindings))
  } catch {
    // Without a store the return cannot say which one is new; it is in the list all the same.
  }
}

/** What was bound before the visit, once; `undefined` when this tab made none. */
export function recallBindings(): Bindings | undefined {
  try {
    const kept = sessionStorage.getItem(key)
    sessionStorage.removeItem(key)
    return (JSON.parse(kept ?? 'null') as Bindings | null) ?? undefined
  } catch {
    return undefined
  }
}

/** The providers whose account is another one than before. */
export function newlyBound(before: Bindings, now: Bindings): string[] {
  return Object.keys(now).filter((provider) => before[provider] !== now[provider])
}
