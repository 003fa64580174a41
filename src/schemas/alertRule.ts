import { z } from 'zod'
import { problemOf } from './alerts/alertRuleProblem.ts'
import { defineEntity } from './define/entity.ts'
import { choice, flag, jsonText, name, refOrNone, refs } from './define/fields.ts'

/** How often an alert tells: at every check while it fails, or once until it has recovered. */
export const triggerModes = { 0: 'always', 1: 'once' } as const

const rules = z.array(z.looseObject({})).superRefine((list, context) => {
  const refuse = (params: object) => context.addIssue({ code: 'custom', params })
  if (list.length === 0) refuse({ key: 'validation.rules_missing' })
  for (const [index, rule] of list.entries()) {
    const problem = problemOf(rule)
    if (problem) refuse({ ...problem, rule: index + 1 })
  }
})

/** Watches figures of servers; when all of its rules fail together, somebody is told and tasks are triggered. */
export const alertRule = defineEntity({
  name: 'alert-rule',
  form: z.object({
    name: name(),
    enable: flag(true),
    trigger_mode: choice(triggerModes).default(0),
    notification_group_id: refOrNone('notification-group').default(0),
    rules: jsonText(rules, {
      wireName: '[]*model.Rule',
      mentions: [{ to: 'server', path: ['*', 'ignore'], unknown: 'accepted' }],
    }),
    fail_trigger_tasks: refs('cron', { unknown: 'accepted' }).nullable().default(null),
    recover_trigger_tasks: refs('cron', { unknown: 'accepted' }).nullable().default(null),
  }),
})
