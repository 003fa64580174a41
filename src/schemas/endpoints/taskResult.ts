import { z } from 'zod'

/** What the last run of a task did on one server. Embedded server only. */
export const taskResult = z.looseObject({
  server_id: z.int(),
  /**
   * `running`, `succeeded`, `failed`, `offline` (it was not sent), `lost` (it was sent, and the connection ended before
   * the result).
   */
  state: z.string(),
  /** When the state was reached, RFC 3339. */
  at: z.string(),
  /** Why it failed: `exit_code`, `killed`, `timeout`, `not_started`, `restart` (the console was restarted meanwhile). */
  reason: z.string().optional(),
  /** With the reason `exit_code`. */
  exit_code: z.int().optional(),
  /** The end of the output; shorter where many servers have run the task. */
  output: z.string().optional(),
})
export type TaskResult = z.output<typeof taskResult>

/** The results of a task, the most urgent first. */
export const taskResults = z.looseObject({
  /** How many servers have a result; `results` may have fewer. */
  total: z.int().default(0),
  results: z.array(taskResult).default([]),
})
