import type { Store } from './store.ts'

/** Writes what a sign-in can do without: on a full disk it is left out. @returns whether it was written */
export function unlessDiskFull(store: Pick<Store, 'isDiskFull'>, write: () => void): boolean {
  try {
    write()
    return true
  } catch (error) {
    if (!store.isDiskFull()) throw error
    return false
  }
}
