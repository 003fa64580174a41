import { z } from 'zod'
import { endpoint } from '../define/endpoint.ts'

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
const taskRunPage = z.looseObject({
  value: z
    .array(taskRun)
    .nullish()
    .transform((runs) => runs ?? []),
  pagination: z.looseObject({ offset: z.int().default(0), limit: z.int().default(0), total: z.int().default(0) }),
})

/** A run with its output. */
const taskRunOutput = taskRun.extend({
  /** The end of the output, 64 KiB at most; while it is running, what there is so far, where the machine sends it. */
  output: z.string().default(''),
  /** Whether the beginning of the output is missing. */
  truncated: z.boolean().optional(),
  /** Whether its output was deleted to make room for later ones. */
  output_deleted: z.boolean().optional(),
})

const page = { offset: z.int().min(0).optional(), limit: z.int().min(1).max(1000).optional() }

/**
 * The runs of tasks: those on servers that somebody may see. Only where `GET /setting` says `wheelhouse.task_runs`.
 * Apart from the other calls: no list waits for their schemas.
 */
export const taskRunEndpoints = {
  /** Of a task: the latest execution first, in it what failed; `server` is an id, `state` one of `taskRun`. */
  taskRuns: endpoint('GET', 'cron/:id/runs', {
    scopes: ['nezha:cron:read'],
    keepsToServers: true,
    query: z.object({ ...page, server: z.int().optional(), state: z.string().optional() }),
    reply: taskRunPage,
  }),
  /** Of all tasks on a server, the latest first. */
  serverRuns: endpoint('GET', 'server/:id/runs', {
    scopes: ['nezha:cron:read'],
    keepsToServers: true,
    query: z.object(page),
    reply: taskRunPage,
  }),
  /** One run, with its output so far while it is running. */
  taskRun: endpoint('GET', 'wheelhouse/task-runs/:id', {
    scopes: ['nezha:cron:read'],
    keepsToServers: true,
    reply: taskRunOutput,
  }),
} as const
