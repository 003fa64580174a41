import { randomUUID } from 'node:crypto'
import type { Store } from './db/store.ts'
import type { Host } from './hosts/host.ts'
import { createLocalHost } from './hosts/local.ts'

const uuidKey = 'machine uuid'

export interface ThisMachineOptions {
  store: Store
  /** Version of this server. */
  version: string
  onError: (error: unknown) => void
}

/** The machine this server runs on. Its uuid is made once and stays with the data. */
export function createThisMachine({ store, version, onError }: ThisMachineOptions): Host {
  const known = store.value<string>(uuidKey)
  const uuid = known ?? randomUUID()
  if (!known) store.setValue(uuidKey, uuid)
  return createLocalHost({ uuid, version, onError })
}
