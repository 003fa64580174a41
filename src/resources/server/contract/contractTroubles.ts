import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import type { Trouble } from '../../../domain/trouble/trouble.ts'
import { contractEndpoints } from '../../../schemas/endpoints/contractEndpoints.ts'
import { server } from '../../../schemas/server.ts'

type OfServer = Trouble & { server_id: number }

/** What is wrong with contracts, as lines of trouble: used up traffic, and contracts that end or have ended these days. */
export async function contractTroubles(dataProvider: ConsoleDataProvider): Promise<OfServer[]> {
  const found = await dataProvider.call(contractEndpoints.contractTroubles)
  if (found.length === 0) return []
  const ids = found.map(({ server_id }) => server_id)
  const { data } = await dataProvider.getMany(server.name, { ids })
  const names = new Map(data.map(({ id, name }) => [Number(id), String(name)]))
  return found.flatMap(({ server_id, percent, ends_at }): OfServer[] => {
    const common = { severity: 'warning', name: names.get(server_id) ?? `#${server_id}`, server_id } as const
    const used: OfServer[] =
      percent === undefined ? [] : [{ ...common, key: `traffic ${server_id}`, kind: 'traffic_used', percent }]
    if (ends_at === undefined) return used
    return [...used, { ...common, key: `contract ${server_id}`, kind: 'contract_end', expires_at: Date.parse(ends_at) }]
  })
}
