import { z } from 'zod'
import { alertRuleKeys, alertRuleProblem } from '../domain/alerts/alertRuleProblem.ts'
import { jsonSchemaOf } from './define/describe.ts'
import { bodyLimits } from './define/endpoint.ts'
import { defineEntity, scopesOfArea } from './define/entity.ts'
import { choice, facts, flag, jsonText, name, refOrNone, refs } from './define/fields.ts'
import { ofTeam } from './define/team.ts'
import { escalationRef } from './escalation.ts'

/** When an alert sends notifications: at every check while it fails, or once until it has recovered. */
export const triggerModes = { 0: 'always', 1: 'once' } as const

/** An alert fires only when all of its rules fail together, so more are of no use. */
const maxRules = 20

const part = z
  .looseObject({})
  .register(facts, { properties: jsonSchemaOf(z.object(alertRuleKeys).partial()).properties })

const rules = z
  .array(part)
  .max(maxRules)
  .superRefine((list, context) => {
    const addIssue = (params: object) => context.addIssue({ code: 'custom', params })
    if (list.length === 0) addIssue({ key: 'validation.rules_missing' })
    for (const [index, rule] of list.entries()) {
      const problem = alertRuleProblem(rule)
      if (problem) addIssue({ ...problem, rule: index + 1 })
    }
  })

/** A limit, because each alert is checked on each server every three seconds. */
const alertsPerMember = 100

/** Watches metrics of servers. When all of its rules fail, it sends a notification and triggers tasks. */
export const alertRule = defineEntity({
  name: 'alert-rule',
  scopes: scopesOfArea('alertrule'),
  api: { bodyLimit: bodyLimits.largeForm },
  perMember: alertsPerMember,
  form: z.object({
    name: name(),
    enable: flag(true),
    trigger_mode: choice(triggerModes).default(0),
    notification_group_id: refOrNone('notification-group').default(0),
    escalation_id: escalationRef(),
    rules: jsonText(rules, {
      wireName: '[]*model.Rule',
      mentions: [{ to: 'server', path: ['*', 'ignore'], unknown: 'accepted' }],
    }),
    fail_trigger_tasks: refs('cron', { unknown: 'accepted' }).nullable().default(null),
    recover_trigger_tasks: refs('cron', { unknown: 'accepted' }).nullable().default(null),
    ...ofTeam(),
  }),
})
