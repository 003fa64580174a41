import { z } from 'zod'

/** A unit of systemd, or a service of OpenRC. */
export const unitItem = z.object({
  name: z.string(),
  description: z.string(),
  /** `active`, `inactive`, `failed`, `activating` ... */
  state: z.string(),
  /** The word of its type: `running`, `exited`, `dead`, `waiting` ... */
  sub_state: z.string(),
  /** Whether it starts with the machine: `enabled`, `disabled`, `static`, `masked` ... */
  file_state: z.string().optional(),
  /** ISO 8601: when it became active. */
  since: z.string().optional(),
  /** Bytes. */
  memory: z.number().optional(),
  restarts: z.int().optional(),
  pid: z.int().optional(),
  /** Of timers, ISO 8601. */
  next_run: z.string().optional(),
  last_run: z.string().optional(),
})
export type UnitItem = z.output<typeof unitItem>

export const unitActs = ['start', 'stop', 'restart', 'enable', 'disable'] as const
export type UnitAct = (typeof unitActs)[number]
