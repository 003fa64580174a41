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
  /** Whether tasks, terminals and file managers are off. */
  commandsDisabled?: boolean
  onError: (error: unknown) => void
}

/** The machine this server runs on. Its uuid is generated once and stored. */
export function createThisMachine({ store, version, commandsDisabled, onError }: ThisMachineOptions): Host {
  const storedUuid = store.value<string>(uuidKey)
  const uuid = storedUuid ?? randomUUID()
  if (!storedUuid) store.setValue(uuidKey, uuid)
  const configStore = {
    read: () => store.value<string>(configKey),
    write: (text: string) => store.setValue(configKey, text),
  }
  return createLocalHost({ uuid, version, configStore, commandsDisabled, onError })
}
