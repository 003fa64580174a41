import { useState } from 'react'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { useSharedDataProvider } from '../../engine/parts/sharedDataProvider.tsx'
import { readConfigs } from '../../resources/server/agentConfig/configRequests.ts'
import type { SecurityFacts } from './checks/check.ts'

/** The settings of the agents, which are asked one by one: an agent may take ten seconds to answer. */
export function useAgentSettings() {
  const { call } = useSharedDataProvider<ConsoleDataProvider>()
  const [asked, setAsked] = useState<number>()
  const [agents, setAgents] = useState<SecurityFacts['agents']>()
  return {
    agents,
    /** How many have answered or failed so far, while they are asked. */
    asked,
    ask: async (ids: readonly number[]) => {
      setAsked(0)
      const results = await readConfigs(call, ids, () => setAsked((count = 0) => count + 1))
      setAgents(new Map(results.flatMap((result) => ('config' in result ? [[result.id, result.config]] : []))))
      setAsked(undefined)
    },
  }
}
