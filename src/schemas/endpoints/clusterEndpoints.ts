import { z } from 'zod'
import { endpoint } from '../define/endpoint.ts'
import { moment } from '../define/fields.ts'

/** The servers that share a database, one of which leads. */
const cluster = z.looseObject({
  /** Grows by one with each leader. */
  term: z.int(),
  nodes: z
    .array(
      z.object({
        id: z.string(),
        /** Where the other nodes reach it. */
        address: z.string(),
        leader: z.boolean(),
        version: z.string(),
        /** When it was started. */
        since: moment(),
        /** Changes that it does not have yet. */
        lag: z.int(),
      }),
    )
    .default([]),
  /** Who became leader, the latest first, 20 at most. */
  changes: z.array(z.object({ term: z.int(), at: moment(), node: z.string(), address: z.string() })).default([]),
})
export type ClusterNodes = z.output<typeof cluster>

/** Apart from the other calls: the first list needs none. */
export const clusterEndpoints = {
  /** Only where `GET /setting` says `wheelhouse.cluster`. */
  cluster: endpoint('GET', 'wheelhouse/cluster', {
    scopes: ['nezha:admin:*'],
    access: 'admin',
    reply: cluster,
  }),
} as const
