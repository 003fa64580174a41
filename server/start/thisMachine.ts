import { randomUUID } from 'node:crypto'
import type { Store } from '../db/store.ts'
import type { Host } from '../machines/hosts/host.ts'
import { createLocalHost } from '../machines/hosts/local/localHost.ts'

const uuidKey = 'machine uuid'
const configKey = 'machine config'

export interface ThisMachineOptions {
  store: Store
  /** Version of this server. */
  version: string
  /** Whether nobody may run commands here. */
  commandsDisabled?: boolean
  onError: (error: unknown) => void
}

/** The machine this server runs on. Its uuid is made once and stays with the data. */
export function createThisMachine({ store, version, commandsDisabled, onError }: ThisMachineOptions): Host {
  const known = store.value<string>(uuidKey)
  const uuid = known ?? randomUUID()
  if (!known) store.setValue(uuidKey, uuid)
  const keeper = {
    read: () => store.value<string>(configKey),
    write: (text: string) => store.setValue(configKey, text),
  }
  return createLocalHost({ uuid, version, keeper, commandsDisabled, onError })
}
