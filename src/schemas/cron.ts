import { z } from 'zod'
import { CronError, parseCron } from '../domain/cron/cronExpression.ts'
import { bodyLimits } from './define/endpoint.ts'
import { defineEntity, scopesOfArea } from './define/entity.ts'
import { choice, flag, line, moment, multiline, name, refOrNone, refs } from './define/fields.ts'
import { ofTeam } from './define/team.ts'

export const taskTypes = { 0: 'scheduled', 1: 'trigger' } as const

/** Where a task runs: on the chosen servers, on all but them, or on the one that raised the alert. */
export const taskCover = { 0: 'only', 1: 'all', 2: 'alarmed' } as const

/** The code of `only`: such a task runs nowhere while no server is chosen. */
export const coverOnly = 0

/** The code of `alarmed`: such a task has nowhere to run until an alert names a server. */
export const coverAlarmed = 2

/** A command that servers run, at set times or when an alert triggers it. */
export const cron = defineEntity({
  name: 'cron',
  scopes: scopesOfArea('cron'),
  // Alert rules and services run the tasks that they name.
  whenNamed: { leadsTo: 'command', scope: 'nezha:cron:exec' },
  api: { bodyLimit: bodyLimits.largeForm, leadsTo: { create: 'command', update: 'command' } },
  form: z
    .object({
      name: name(),
      task_type: choice(taskTypes).default(0),
      scheduler: line().default(''),
      command: multiline().optional(),
      servers: refs('server', { unknown: 'accepted' }).nullable().default(null),
      push_successful: flag().optional(),
      notification_group_id: refOrNone('notification-group').default(0),
      cover: choice(taskCover).default(0),
      ...ofTeam(),
    })
    .superRefine(({ task_type, scheduler, cover }, context) => {
      if (task_type !== 0) return
      const validatedWith = ['task_type']
      if (cover === coverAlarmed) {
        context.addIssue({
          code: 'custom',
          path: ['cover'],
          params: { key: 'validation.cover_alarmed', validatedWith },
        })
      }
      const problem = problemOf(scheduler)
      if (!problem) return
      const params = { ...problem.args, key: problem.key, validatedWith }
      context.addIssue({ code: 'custom', path: ['scheduler'], params })
    }),
  computed: z.object({
    last_executed_at: moment(),
    last_result: z.boolean().optional(),
    cron_job_id: z.int().optional(),
  }),
})

function problemOf(expression: string): CronError | undefined {
  try {
    parseCron(expression)
    return undefined
  } catch (error) {
    if (error instanceof CronError) return error
    throw error
  }
}
