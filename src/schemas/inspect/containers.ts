import { z } from 'zod'

export const containerEngines = ['docker', 'podman'] as const
export type ContainerEngine = (typeof containerEngines)[number]

/** A container of docker or podman. */
export const containerItem = z.object({
  engine: z.enum(containerEngines),
  id: z.string(),
  name: z.string(),
  /** The name from which it was made. */
  image: z.string(),
  /** Whether another image has that name on the machine by now. */
  is_old: z.boolean().optional(),
  /** The engine's word: `running`, `exited`, `paused`, `restarting`, `created`, `dead`. */
  state: z.string(),
  /** `healthy`, `unhealthy` or `starting`; absent without a check. */
  health: z.string().optional(),
  /** The engine's sentence: `Up 3 hours (healthy)`. */
  status: z.string(),
  ports: z.string(),
  restarts: z.int(),
  /** The compose project that it belongs to. */
  project: z.string().optional(),
  /** ISO 8601; absent while it has never run. */
  started_at: z.string().optional(),
  /** Percent of one processor; this and the next only while it runs, and from the second look within a minute on. */
  cpu: z.number().optional(),
  /** Bytes. */
  memory: z.number().optional(),
  memory_limit: z.number().optional(),
  /** Bytes received and sent since its start. */
  received: z.number().optional(),
  sent: z.number().optional(),
})
export type ContainerItem = z.output<typeof containerItem>

/** What can be done with a container. `remove` is for those that do not run; `pull` fetches the newest image of its name. */
export const containerActs = ['start', 'stop', 'restart', 'pause', 'unpause', 'remove', 'pull'] as const
export type ContainerAct = (typeof containerActs)[number]

/** Which engine is meant: names may be in both. */
export const containerQuery = z.object({ engine: z.enum(containerEngines) })

export const containerLogQuery = containerQuery.extend({ lines: z.int().min(1).max(2000).optional() })

/** A line of a container's log. */
export const containerLine = z.object({ at: z.string().optional(), message: z.string() })
