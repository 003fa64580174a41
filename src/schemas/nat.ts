import { z } from 'zod'
import { defineEntity, scopesOfArea } from './define/entity.ts'
import { facts, flag, limits, line, name, ref } from './define/fields.ts'
import { ofTeam } from './define/team.ts'

const hostWithPort = /^(\[[\da-f:.]+\]|[^\s:/[\]]+):(\d{1,5})$/i

/**
 * Whether a text is `host:port`, with an IPv6 address in brackets. The host may be any name that the machine can
 * resolve, so this accepts more than `isHostWithPort` of service targets.
 */
export function isLocalService(text: string): boolean {
  const port = Number(hostWithPort.exec(text)?.[2])
  return port >= 1 && port <= 65_535
}

/**
 * A NAT profile: a service in the network of a server, available under its own host name.
 *
 * `awaits_release`: on the embedded server, a member has chosen the name, and no administrator has released it yet.
 */
export const nat = defineEntity({
  name: 'nat',
  scopes: scopesOfArea('nat'),
  form: z.object({
    name: name(),
    enabled: flag(true),
    server_id: ref('server'),
    host: line(limits.host).refine(isLocalService, { params: { key: 'validation.host_port' } }),
    domain: line(limits.host)
      .min(1)
      .refine((text) => /^[^\s/:]+(:\d{1,5})?$/.test(text), { params: { key: 'validation.host_name' } }),
    ...ofTeam(),
  }),
  computed: z.object({ awaits_release: z.boolean().register(facts, { recorded: true }).optional() }),
  api: { leadsTo: { create: 'opening', update: 'opening' } },
})
