import { expect, it, vi } from 'vitest'
import { openAgentSecrets } from '../../../server/agents/agentSecrets.ts'
import { openStore } from '../../../server/db/store.ts'

const fail = (error: unknown) => {
  throw error
}

it('agents that connect at the same time are written to the disk together, and none is left out', () => {
  const store = openStore(':memory:')
  const secrets = openAgentSecrets(store, fail)
  const transactions = vi.spyOn(store, 'transaction')
  for (let index = 0; index < 1000; index++) secrets.used(`machine-${index}`, 1)
  secrets.remove(['machine-0'])
  expect(secrets.uuidsOf(1)).toHaveLength(999)
  secrets.used('machine-1', 2)
  expect(secrets.uuidsOf(1)).toHaveLength(998)
  secrets.close()
  expect(transactions.mock.calls.length).toBeLessThanOrEqual(2)
  const reopened = openAgentSecrets(store, fail)
  expect(reopened.uuidsOf(1)).toHaveLength(998)
  expect(reopened.uuidsOf(2)).toEqual(['machine-1'])
  reopened.close()
})
