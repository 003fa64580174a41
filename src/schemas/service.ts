import { z } from 'zod'
import { check, checkReceiver, checkTargetProblem } from './checks/checks.ts'
import { bodyLimits } from './define/endpoint.ts'
import { defineEntity, scopesOfArea } from './define/entity.ts'
import { choice, facts, flag, idSet, limits, line, name, refOrNone, refs } from './define/fields.ts'
import { ofTeam } from './define/team.ts'
import { dependencies } from './dependencies.ts'
import { escalationRef } from './escalation.ts'
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

/** Seconds between two checks of a service without a check of its own, at least; shorter ones come from other clients. */
export const plainMinimum = 30
/** Seconds between two checks of a service with one. */
export const checkedDuration = { min: 10, max: 86_400 } as const

/** How many machines must fail: a number of them, or a share from 0 to 1. */
export type Quorum = { count: number } | { share: number }

/** Reads a quorum: a number, or a share in percent; half for an empty text. `undefined` for anything else. */
export function parseQuorum(quorum: number | string): Quorum | undefined {
  const [, digits, percent] = /^(\d{1,5})\s*(%?)$/.exec(String(quorum).trim()) ?? []
  if (digits === undefined) return quorum === '' ? { share: 0.5 } : undefined
  const number = Number(digits)
  if (percent) return number >= 1 && number <= 100 ? { share: number / 100 } : undefined
  return number >= 1 ? { count: number } : undefined
}

/** A field that only the embedded server has, and that clients who do not know it must not clear. */
const ownField = { newer: true, announced: 'checks', leftOut: 'kept' } as const

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
  destination: ({ check, target }) => checkReceiver(check, String(target ?? '')),
  form: z
    .object({
      name: name(),
      type: choice(monitorTypes).default(1),
      target: line(limits.url).min(1),
      // How short it may be depends on the check.
      duration: z.int().min(0).default(plainMinimum),
      display_index: z.int().register(facts, { newer: true }).default(0),
      notify: flag().optional(),
      notification_group_id: refOrNone('notification-group').default(0),
      escalation_id: escalationRef(),
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
      /** How it is checked, where that is more than its type says. Embedded server only. */
      check: check.nullable().optional(),
      /** How many of its machines must fail before it is down: a number, or a share such as `30%`. Empty: half of them. */
      quorum: z
        .union([z.int().min(1).max(limits.ids), z.string().trim().max(limits.shortText)])
        .refine((quorum) => parseQuorum(quorum) !== undefined, { params: { key: 'validation.quorum' } })
        .register(facts, { ...ownField, kind: 'json' })
        .default(''),
      /** Whether people are told that it is down on some of its machines. */
      degraded_notify: z.boolean().register(facts, ownField).default(false),
      /** How often a check that fails is repeated before it counts, and after how many seconds each time. */
      retries: z.int().min(0).max(5).register(facts, ownField).default(0),
      retry_pause: z.int().min(1).max(60).register(facts, ownField).default(5),
      /** Whether nobody checks it for now: it has no state, and nobody is told anything. */
      paused: z.boolean().register(facts, ownField).default(false),
      /** Whether the bounds of the latency hold for the 95th percentile of so many checks; 1: for each check. */
      latency_checks: z.int().min(1).max(100).register(facts, ownField).default(1),
      ...dependencies(),
      ...ofTeam(),
    })
    .superRefine(({ type, target, check, duration }, context) => {
      const least = check ? checkedDuration.min : plainMinimum
      if (duration >= 0 && duration < least) {
        context.addIssue({
          code: 'too_small',
          origin: 'int',
          minimum: least,
          inclusive: true,
          input: duration,
          path: ['duration'],
        })
      }
      if (check && duration > checkedDuration.max) {
        context.addIssue({
          code: 'too_big',
          origin: 'number',
          maximum: checkedDuration.max,
          inclusive: true,
          input: duration,
          path: ['duration'],
        })
      }
      const key = check ? checkTargetProblem(check, target) : targetProblem(type, target)
      if (key) context.addIssue({ code: 'custom', path: ['target'], params: { key, validatedWith: ['type', 'check'] } })
    }),
  computed: z.object({
    /** What a job calls that reports here, below the address of this server; shown to those who may edit the service. */
    push_path: z.string().optional(),
  }),
  api: {
    bodyLimit: bodyLimits.largeForm,
    listPath: 'service/list',
    row: acceptBothNames,
    send: (body) => ('hide_for_guest' in body ? { ...body, enable_show_in_service: !body.hide_for_guest } : body),
  },
})
