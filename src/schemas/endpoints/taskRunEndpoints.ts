import { z } from 'zod'
import { endpoint } from '../define/endpoint.ts'
import { taskRunOutput, taskRunPage } from './taskRun.ts'

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
