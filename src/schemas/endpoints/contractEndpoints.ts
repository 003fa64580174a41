import { z } from 'zod'
import { endpoint } from '../define/endpoint.ts'
import { contractSetting } from '../settings/contractSettings.ts'
import { periodQuery, serverTraffic } from './trafficEndpoints.ts'

/** What several servers come to. */
const sum = z.object({
  servers: z.int(),
  /** What they cost in a month, in the currency of sums. */
  month: z.number(),
  /** Bytes of the period of each. */
  received: z.number(),
  sent: z.number(),
  /** What counts against the quotas. */
  used: z.number(),
})

const pricedServer = z.object({
  server_id: z.int(),
  name: z.string(),
  provider: z.string(),
  /** Of each payment, as it was agreed. */
  price: z.number(),
  currency: z.string(),
  cycle: z.string(),
  /** In the currency of sums; absent without a price by month or a rate. */
  month: z.number().optional(),
  /** RFC 3339; absent without an end. */
  ends_at: z.string().optional(),
  renews: z.boolean(),
})
export type PricedServer = z.output<typeof pricedServer>

/** What the servers that somebody owns cost. */
export const costs = z.object({
  /** The currency of sums; empty where no contract has one. */
  currency: z.string(),
  total: sum,
  /** A server counts in each of its groups. `group_id` is 0 for servers without a group that the caller sees. */
  groups: z.array(sum.extend({ group_id: z.int(), name: z.string() })),
  /** `provider` is empty for servers without one. */
  providers: z.array(sum.extend({ provider: z.string() })),
  /** What falls due in this month and the eleven after it, as `2026-11`. */
  months: z.array(z.object({ month: z.string(), due: z.number() })),
  /** All that have a price or an end, what ends next first. */
  servers: z.array(pricedServer),
  /** Currencies without a rate: their prices are in no sum. */
  unconverted: z.array(z.object({ currency: z.string(), servers: z.int() })),
})
export type Costs = z.output<typeof costs>

/** A server whose quota is used up, or whose contract ends or has ended in these days. */
const contractTrouble = z.object({
  server_id: z.int(),
  /** Whole percent of the quota, from 100; absent while something is left. */
  percent: z.number().optional(),
  /** RFC 3339, at most seven days from now in either direction. */
  ends_at: z.string().optional(),
})
export type ContractTrouble = z.output<typeof contractTrouble>

const admins = { scopes: ['nezha:admin:*'], access: 'admin' } as const

/** Costs, and what is told of contracts. Only where `GET /setting` says `wheelhouse.contracts`. */
export const contractEndpoints = {
  /** Sums of prices, and of the traffic of a period, by group and provider, for the servers that somebody owns. */
  costs: endpoint('GET', 'wheelhouse/costs', {
    scopes: ['nezha:inventory:read'],
    keepsToServers: true,
    query: periodQuery,
    reply: costs,
  }),
  /** What is wrong with contracts of servers that somebody owns; up to a minute old. */
  contractTroubles: endpoint('GET', 'wheelhouse/contract-troubles', {
    scopes: ['nezha:inventory:read'],
    keepsToServers: true,
    reply: z.array(contractTrouble).default([]),
  }),
  contractSetting: endpoint('GET', 'wheelhouse/contract-setting', { ...admins, reply: contractSetting }),
  /** Replaces all of it: what is left out gets its default. */
  setContractSetting: endpoint('PATCH', 'wheelhouse/contract-setting', {
    ...admins,
    body: contractSetting,
    reply: contractSetting,
  }),
  /**
   * Says what the provider has counted so far in the present period, for a server whose first days were not counted here.
   * `null` takes the latest correction of the period back.
   */
  correctTraffic: endpoint('POST', 'wheelhouse/traffic/:id/correct', {
    makesRecord: true,
    scopes: ['nezha:server:write'],
    keepsToServers: true,
    body: z.object({ used: z.int().min(0).nullable() }),
    reply: serverTraffic,
  }),
} as const
