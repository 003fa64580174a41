import { z } from 'zod'
import { bodyLimits } from './define/bodyLimits.ts'
import { defineEntity } from './define/entity.ts'
import { choice, facts, flag, idSet, line, name, refOrNone, refs } from './define/fields.ts'
import { limits } from './define/limits.ts'
import { scopesOfArea } from './define/tokenScopes.ts'
import { isHostName, isHostWithPort, isWebAddress } from './formats/target.ts'

/** How a service is checked (docs/contract/CONTRACT.md#6-enumerations). */
export const monitorTypes = { 1: 'http', 2: 'icmp', 3: 'tcp' } as const

/** Which servers check a service: all but the chosen ones, or only those. */
export const serviceCover = { 0: 'all', 1: 'only' } as const

/** What a target must be, by the code of the type. An unknown type allows any target. */
const targetRules: Readonly<Record<number, { fits: (target: string) => boolean; key: string }>> = {
  1: { fits: isWebAddress, key: 'validation.url' },
  2: { fits: isHostName, key: 'validation.target_icmp' },
  3: { fits: isHostWithPort, key: 'validation.target_tcp' },
}

/** The key of what is wrong with a target; `undefined` for one that can be checked, and for none. */
export function targetProblem(type: number, target: string): string | undefined {
  const rule = targetRules[type]
  return !rule || target === '' || rule.fits(target) ? undefined : rule.key
}

const looseRow = z.looseObject({})

/**
 * Servers before v2.1.5 say `enable_show_in_service` where newer ones say `hide_for_guest`, and both leave out what is
 * false. A row with neither key comes from an old server if it has no `display_index` either, which makes it hidden.
 * Else it stays as it came: what nobody touches is not sent, and means what it meant.
 */
const acceptBothNames = z.codec(looseRow, looseRow, {
  decode: (row) => {
    if ('hide_for_guest' in row) return row
    if ('enable_show_in_service' in row) return { ...row, hide_for_guest: !row.enable_show_in_service }
    return 'display_index' in row ? row : { ...row, hide_for_guest: true }
  },
  encode: (row) => row,
})

/** A page, host or port on the network that servers check at intervals. */
export const service = defineEntity({
  name: 'service',
  scopes: scopesOfArea('service'),
  form: z
    .object({
      name: name(),
      type: choice(monitorTypes).default(1),
      target: line(limits.url).min(1),
      duration: z.int().min(30).default(30),
      display_index: z.int().register(facts, { newer: true }).default(0),
      notify: flag().optional(),
      notification_group_id: refOrNone('notification-group').default(0),
      cover: choice(serviceCover).default(0),
      enable_trigger_task: flag().optional(),
      hide_for_guest: flag().optional(),
      fail_trigger_tasks: refs('cron', { unknown: 'accepted' }).nullable().default(null),
      recover_trigger_tasks: refs('cron', { unknown: 'accepted' }).nullable().default(null),
      // Numbers with decimals on the wire, and whole milliseconds for people.
      min_latency: z.number().multipleOf(1).min(0).default(0),
      max_latency: z.number().multipleOf(1).min(0).default(0),
      latency_notify: flag().optional(),
      skip_servers: idSet('server', { unknown: 'accepted' }).nullable().default(null),
    })
    .superRefine(({ type, target }, context) => {
      const key = targetProblem(type, target)
      if (key) context.addIssue({ code: 'custom', path: ['target'], params: { key, validatedWith: ['type'] } })
    }),
  api: {
    bodyLimit: bodyLimits.largeForm,
    listPath: 'service/list',
    row: acceptBothNames,
    send: (body) => ('hide_for_guest' in body ? { ...body, enable_show_in_service: !body.hide_for_guest } : body),
  },
})
