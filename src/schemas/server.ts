import { z } from 'zod'
import { bodyLimits } from './define/endpoint.ts'
import { defineEntity } from './define/entity.ts'
import { flag, jsonText, limits, moment, multiline, name, refs } from './define/fields.ts'
import { ofTeam } from './define/team.ts'
import { dependencies } from './dependencies.ts'
import { contract } from './machines/contract.ts'
import { hostFacts, hostState, leftOut } from './machines/live.ts'

const domainsByProfile = z.record(z.string().regex(/^\d+$/), z.array(z.string().max(limits.host)).max(limits.hosts))

/** A monitored machine. Rows appear when a machine reports for the first time; people edit and delete them. */
export const server = defineEntity({
  name: 'server',
  scopes: { list: 'nezha:inventory:read', update: 'nezha:server:write', delete: 'nezha:inventory:delete' },
  form: z.object({
    name: name(),
    display_index: z.int().default(0),
    note: multiline().optional(),
    public_note: multiline().optional(),
    hide_for_guest: flag().optional(),
    enable_ddns: flag().optional(),
    ddns_profiles: refs('ddns', { unknown: 'accepted' }).default([]).optional(),
    override_ddns_domains: jsonText(domainsByProfile.optional(), {
      mentions: [{ to: 'ddns', unknown: 'accepted' }],
    }).optional(),
    ...dependencies(),
    /** Price, end and traffic. Embedded server only; others keep what they have. */
    contract: contract.nullable().default(null),
    ...ofTeam(),
  }),
  computed: z.object({
    uuid: z.string().optional(),
    host: hostFacts.optional(),
    state: hostState.optional(),
    geoip: z
      .looseObject({
        ip: z.looseObject({ ipv4_addr: z.string().optional(), ipv6_addr: z.string().optional() }).optional(),
        country_code: z.string().optional(),
      })
      .optional(),
    /** The addresses of all machines that report with this uuid, when there are several. Embedded server only. */
    duplicate_uuid: z.array(z.string()).optional(),
    /** The metrics of `state` of which nothing true is known, when there are any. Embedded server only. */
    missing: z.array(z.string()).optional(),
    /** What its reports said that cannot be, since the start of the server, when there was any. Embedded server only. */
    left_out: leftOut.optional(),
    /** Whether the server of this console runs on it. Embedded server only. */
    runs_server: z.boolean().optional(),
    last_active: moment().optional(),
    /** Whether the person who asks may only look at it. Embedded server only. */
    read_only: z.boolean().optional(),
    /** What they may do with it all the same, by a role. Embedded server only. */
    rights: z.array(z.string()).optional(),
    owner: z.looseObject({ id: z.int(), username: z.string().optional() }).optional(),
  }),
  api: { bodyLimit: bodyLimits.largeForm, verbs: ['update', 'delete'], reappearsBy: 'uuid' },
})
