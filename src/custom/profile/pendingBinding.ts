type Bindings = Readonly<Record<string, string>>

const key = 'wheelhouse.bindings'

/** Saves the current bindings before the browser leaves for a provider, to find the new one afterwards. */
export function rememberBindings(bindings: Bindings): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(bindings))
  } catch {
    // Without sessionStorage the new one is not named afterwards; it is in the list all the same.
  }
}

/** The bindings before the browser left, once; `undefined` if this tab started no binding. */
export function recallBindings(): Bindings | undefined {
  try {
    const saved = sessionStorage.getItem(key)
    sessionStorage.removeItem(key)
    return (JSON.parse(saved ?? 'null') as Bindings | null) ?? undefined
  } catch {
    return undefined
  }
}

/** The providers whose bound account has changed. */
export function newlyBound(before: Bindings, now: Bindings): string[] {
  return Object.keys(now).filter((provider) => before[provider] !== now[provider])
}
