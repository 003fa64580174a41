import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { createConcurrencyLimit } from './concurrencyLimit.ts'

/**
 * Lookups at once. Each one occupies a thread of libuv's pool, which file access and password hashing need too, until
 * the resolver answers or gives up; see `start/uvThreadPool.ts`.
 */
const concurrency = createConcurrencyLimit(12)
const pending = new Map<string, Promise<LookupAddress[]>>()

/** All addresses of a name by the system's resolver. Simultaneous lookups of one name share one answer. */
export function dnsLookup(host: string): Promise<LookupAddress[]> {
  const current = pending.get(host)
  if (current) return current
  const addresses = concurrency.run(() => lookup(host, { all: true })).finally(() => pending.delete(host))
  pending.set(host, addresses)
  return addresses
}
