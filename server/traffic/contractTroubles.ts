import { contractEnd } from '../../src/domain/contract/contractTimes.ts'
import type { ContractTrouble } from '../../src/schemas/endpoints/contractEndpoints.ts'
import { server } from '../../src/schemas/server.ts'
import { takeTurns } from '../concurrency/takeTurns.ts'
import type { Store } from '../db/store.ts'
import { entityTable } from '../entities/entityTable.ts'
import { timestamp } from '../wire/timestamp.ts'
import type { CountedTraffic } from './trafficPlugin.ts'

interface Services {
  store: Store
  traffic: Pick<CountedTraffic, 'inPeriod'>
  /** Milliseconds since 1970. */
  now: () => number
}

/** Milliseconds for which what was found is good for everybody who asks. */
const freshMs = 60_000
/** Milliseconds before and after its end in which a contract is trouble. */
export const aroundEndMs = 7 * 86_400_000

/** The servers whose quota is used up, and whose contract ends or has ended in these days. */
export interface ContractTroubles {
  find(): Promise<readonly ContractTrouble[]>
  /** What was found last. */
  known(): readonly ContractTrouble[]
}

export function createContractTroubles({ store, traffic, now }: Services): ContractTroubles {
  const servers = entityTable(store, server)
  let known: readonly ContractTrouble[] = []
  let found: { at: number; troubles: Promise<readonly ContractTrouble[]> } | undefined

  async function find(): Promise<ContractTrouble[]> {
    const troubles: ContractTrouble[] = []
    const turn = takeTurns()
    const trafficOf = traffic.inPeriod(0)
    for (const row of servers.all()) {
      const { contract } = row
      if (!contract) continue
      const trouble: ContractTrouble = { server_id: row.id }
      if (contract.quota_bytes > 0) {
        const { used, quota_bytes } = trafficOf(row)
        if (used >= quota_bytes) trouble.percent = Math.floor((used / quota_bytes) * 100)
      }
      const end = contract.renews ? undefined : contractEnd(contract, now())
      if (end !== undefined && Math.abs(end - now()) <= aroundEndMs) trouble.ends_at = timestamp(end)
      if (trouble.percent !== undefined || trouble.ends_at !== undefined) troubles.push(trouble)
      await turn()
    }
    known = troubles
    return troubles
  }

  function findOnce(): Promise<readonly ContractTrouble[]> {
    if (!found || Math.abs(now() - found.at) >= freshMs) {
      const troubles = find()
      found = { at: now(), troubles }
      // One that failed is not kept.
      troubles.catch(() => {
        if (found?.troubles === troubles) found = undefined
      })
    }
    return found.troubles
  }

  return { find: findOnce, known: () => known }
}
