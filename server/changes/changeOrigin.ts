import { AsyncLocalStorage } from 'node:async_hooks'
import type { Person } from '../person.ts'

/** Who makes the changes of the work that is under way, and from where. */
export interface ChangeOrigin {
  /** `undefined`: an agent, a command, or the server itself. */
  readonly person?: Person
  /** The visitor's IP address. */
  readonly address?: string
}

const origins = new AsyncLocalStorage<ChangeOrigin | 'unrecorded'>()

/** The origin of a write, without handing it through every function on the way; `unrecorded` when it is no change. */
export const currentOrigin = (): ChangeOrigin | 'unrecorded' => origins.getStore() ?? {}

/** Runs work whose writes have this origin, also after it has waited. */
export const withOrigin = <T>(origin: ChangeOrigin, work: () => T): T => origins.run(origin, work)

/** Runs a write after which everything means the same, such as a new hash of the same password. */
export const unrecorded = <T>(work: () => T): T => origins.run('unrecorded', work)
