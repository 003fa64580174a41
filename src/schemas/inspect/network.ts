import { z } from 'zod'

/** Counters are since the start of the interface. */
const networkInterface = z.object({
  kind: z.literal('interface'),
  name: z.string(),
  state: z.string(),
  /** With their prefix lengths. */
  addresses: z.array(z.string()),
  mac: z.string().optional(),
  mtu: z.int().optional(),
  /** Bytes. */
  received: z.number().optional(),
  sent: z.number().optional(),
  errors: z.number().optional(),
  dropped: z.number().optional(),
})

const networkRoute = z.object({
  kind: z.literal('route'),
  /** `default`, or a network. */
  name: z.string(),
  gateway: z.string().optional(),
  device: z.string().optional(),
  metric: z.int().optional(),
})

/** A port on which a program listens. */
const listener = z.object({
  kind: z.literal('listener'),
  /** `tcp` or `udp`. */
  protocol: z.string(),
  /** `0.0.0.0` and `::` are all addresses. */
  address: z.string(),
  port: z.int(),
  program: z.string().optional(),
  pid: z.int().optional(),
})

/** Connections that are open, by the address at the other end and the port at this one. */
const peer = z.object({
  kind: z.literal('peer'),
  address: z.string(),
  port: z.int(),
  count: z.int(),
})

export const networkItem = z.discriminatedUnion('kind', [networkInterface, networkRoute, listener, peer])
export type NetworkItem = z.output<typeof networkItem>
