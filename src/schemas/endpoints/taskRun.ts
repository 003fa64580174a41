import { z } from 'zod'

/**
 * A run of a task on one server. Embedded server only; kept with the last 50 executions of the task
 * (docs/decisions/task-runs.md).
 */
export const taskRun = z.looseObject({
  id: z.int(),
  /** The same for the runs that were started together, on several servers; grows with time. */
  execution_id: z.int(),
  cron_id: z.int(),
  cron_name: z.string().default(''),
  server_id: z.int(),
  /** If the server was deleted, its name at that time. */
  server_name: z.string().default(''),
  /** `schedule`, `manual` (somebody started it), `trigger` (an alert rule or a service did). */
  cause: z.string(),
  /**
   * `running`, `succeeded`, `failed`, `offline` (it was not sent), `lost` (it was sent, and the connection ended before
   * the result).
   */
  state: z.string(),
  /** RFC 3339. */
  started_at: z.string(),
  /** RFC 3339; absent while it is running. */
  ended_at: z.string().optional(),
  /**
   * Why it failed: `exit_code`, `killed`, `timeout`, `not_started`; why it is lost: `restart` (the console was restarted
   * meanwhile).
   */
  reason: z.string().optional(),
  /** With the reason `exit_code`. */
  exit_code: z.int().optional(),
  /** Bytes of its output; absent without any, and while it is running. */
  output_bytes: z.int().optional(),
})
export type TaskRun = z.output<typeof taskRun>

/** One page of runs, as lists of the contract are paged (docs/contract/CONTRACT.md#512-waf-and-online-users). */
export const taskRunPage = z.looseObject({
  value: z
    .array(taskRun)
    .nullish()
    .transform((runs) => runs ?? []),
  pagination: z.looseObject({ offset: z.int().default(0), limit: z.int().default(0), total: z.int().default(0) }),
})

/** A run with its output. */
export const taskRunOutput = taskRun.extend({
  /** The end of the output, 64 KiB at most; while it is running, what there is so far, where the machine sends it. */
  output: z.string().default(''),
  /** Whether the beginning of the output is missing. */
  truncated: z.boolean().optional(),
  /** Whether its output was deleted to make room for later ones. */
  output_deleted: z.boolean().optional(),
})
