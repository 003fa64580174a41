/** What starts a task: its schedule, somebody, or an alert rule or service. */
export type TaskRunCause = 'schedule' | 'manual' | 'trigger'

/** A run of a task on one server. Times are milliseconds since 1970. */
export interface TaskRun {
  id: number
  /** The id of the first of the runs that were started together. */
  execution_id: number
  task_id: number
  /** Owner of the task when it was started. */
  owner_id: number
  server_id: number
  server_name: string
  cause: TaskRunCause
  /** As in `src/schemas/endpoints/taskRun.ts`, as are `reason` and `exit_code`. */
  state: 'running' | 'succeeded' | 'failed' | 'offline' | 'lost'
  reason: string | null
  exit_code: number | null
  started_at: number
  /** `null` while it is running. */
  ended_at: number | null
  /** Bytes of its output. */
  output_bytes: number
  /** Whether the beginning of its output is missing. */
  truncated: boolean
  /** Whether its output was deleted to make room. */
  output_deleted: boolean
}

/** How a run ended. */
export interface TaskRunEnd extends Pick<TaskRun, 'state' | 'reason' | 'exit_code' | 'truncated'> {
  output: string
}
