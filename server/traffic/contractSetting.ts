import { type ContractSetting, contractSetting, contractSettings } from '../../src/schemas/settings/contractSettings.ts'
import { unrecorded } from '../changes/changeOrigin.ts'
import type { Store } from '../db/store.ts'
import { entityTable } from '../entities/entityTable.ts'
import { timestamp } from '../wire/timestamp.ts'

/** Where it was kept before it was a record. */
const earlierKey = 'contract_setting'

/** What administrators set for the contracts of all servers; the record is made where it is missing. */
export function openContractSetting(store: Store): { id: number; read: () => ContractSetting } {
  const table = entityTable(store, contractSettings)
  const made = table.all()[0]?.id ?? store.transaction(insert)

  function insert(): number {
    const earlier = contractSettings.form.safeParse(store.value(earlierKey) ?? {})
    const form = earlier.data ?? contractSettings.form.parse({})
    const now = timestamp()
    const id = unrecorded(() => table.insert({ ...form, user_id: 0, created_at: now, updated_at: now }))
    store.setValue(earlierKey, undefined)
    return id
  }

  return { id: made, read: () => contractSetting.parse(table.get(made) ?? {}) }
}
