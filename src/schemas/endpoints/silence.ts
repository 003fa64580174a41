import { z } from 'zod'
import { endpoint } from '../define/endpoint.ts'
import { moment } from '../define/fields.ts'

/** Maintenance windows and mutes that apply now, as far as the caller may see them. */
export const silences = z.looseObject({
  /** Windows that are open, with the servers and services that they are about, groups and tags resolved. */
  windows: z
    .array(
      z.looseObject({
        id: z.int(),
        name: z.string(),
        until: moment(),
        servers: z.array(z.int()).default([]),
        services: z.array(z.int()).default([]),
      }),
    )
    .default([]),
  /** Ids are 0 where the mute is not about one; without `until`, it ends with the recovery. */
  mutes: z
    .array(
      z.looseObject({
        id: z.int(),
        server_id: z.int().default(0),
        rule_id: z.int().default(0),
        service_id: z.int().default(0),
        until: moment().optional(),
      }),
    )
    .default([]),
})
export type Silences = z.output<typeof silences>

/** Only where `GET /setting` says `wheelhouse.maintenance`. Apart from the other calls: the sign-in form needs none. */
export const silenceEndpoints = {
  silences: endpoint('GET', 'wheelhouse/silences', { scopes: ['nezha:alertrule:read'], reply: silences }),
} as const
