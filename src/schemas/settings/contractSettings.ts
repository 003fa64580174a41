import { z } from 'zod'
import { defineEntity } from '../define/entity.ts'
import { facts, line, refOrNone } from '../define/fields.ts'

/** A code of ISO 4217. */
const currency = z.string().regex(/^[A-Z]{3}$/, 'must be a code such as EUR')

/** How often the report is sent. */
export const reportIntervals = ['never', 'day', 'week', 'month'] as const
export type ReportInterval = (typeof reportIntervals)[number]

/** Currencies with a rate: there are about 180 in the world. */
const maxRates = 200
/** Nothing is worth so much more or less than something else. */
const rate = z.number().min(1e-9).max(1e9)

/** The name of the one record, by which a configuration file finds it. */
const onlyName = 'contracts'

/**
 * What administrators set for the contracts of all servers: one record, which is always there. Embedded server only.
 *
 * Not in the index of entities, because the browser loads that with the first list.
 */
export const contractSettings = defineEntity({
  name: 'contract-setting',
  form: z.object({
    name: line()
      .refine((name) => name === onlyName, { params: { key: 'validation.choice' } })
      .default(onlyName),
    /** The notifier group that is told of used traffic, of forecasts above the quota, and of ends of contracts; 0: none. */
    notification_group_id: refOrNone('notification-group').default(0),
    /** The plan for what is wrong with contracts: with one, that is an incident; 0: none. */
    escalation_id: refOrNone('escalation').default(0),
    report: z
      .enum(reportIntervals)
      .register(facts, { kind: 'choice', choices: Object.fromEntries(reportIntervals.map((one) => [one, one])) })
      .default('never'),
    /** The notifier group that gets the report; 0: none. */
    report_group_id: refOrNone('notification-group').default(0),
    /** The currency of sums; empty: the one that most contracts have. */
    currency: z.union([currency, z.literal('')]).default(''),
    /** What one unit of a currency is worth in `currency`; without that, they are not used. */
    rates: z
      .array(z.object({ currency, rate }))
      .max(maxRates)
      .refine((rates) => new Set(rates.map((one) => one.currency)).size === rates.length, 'has a currency twice')
      .register(facts, { kind: 'json' })
      .default([]),
  }),
  access: { list: 'admin', update: 'admin' },
  // Servers announce it to administrators alone.
  api: { path: 'wheelhouse/contract-setting', verbs: ['update'], announced: 'configuration' },
})

/** The record without its name, as calls have it. */
export const contractSetting = contractSettings.form.omit({ name: true })
export type ContractSetting = z.output<typeof contractSetting>
