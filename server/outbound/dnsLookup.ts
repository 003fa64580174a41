import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { createSlots } from './slots.ts'

/**
 * Names at once. Each takes one of the threads that files and passwords need too, until the resolver answers or gives
 * up; see `threads.ts`.
 */
const slots = createSlots(12)
const underWay = new Map<string, Promise<LookupAddress[]>>()

/** All addresses of a name, as this machine finds them. Who asks for the same name meanwhile gets the same answer. */
export function lookUp(host: string): Promise<LookupAddress[]> {
  const known = underWay.get(host)
  if (known) return known
  const asked = slots.within(() => lookup(host, { all: true })).finally(() => underWay.delete(host))
  underWay.set(host, asked)
  return asked
}
