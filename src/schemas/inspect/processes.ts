import { z } from 'zod'

/** A process of a machine. */
export const processItem = z.object({
  pid: z.int(),
  /** The process that started it; 0 for none. */
  ppid: z.int(),
  user: z.string(),
  /** The letter of the system: `R` runs, `S` and `I` sleep, `D` waits for a device, `T` is stopped, `Z` has ended. */
  state: z.string(),
  /** -20 to 19: the lower, the more it gets of the processor. */
  nice: z.int(),
  threads: z.int().optional(),
  /** Percent of one processor since it was looked at before; the first time, since the start of the process. */
  cpu: z.number(),
  /** Bytes in memory. */
  memory: z.int(),
  /** Bytes per second from and to devices; absent where the machine does not tell. */
  read_speed: z.number().optional(),
  write_speed: z.number().optional(),
  /** Seconds since 1970. */
  started_at: z.int(),
  /** Tells it from an older process with the same number. */
  started: z.string().optional(),
  command: z.string(),
  /** The unit of systemd, and the id of the container, that it belongs to. */
  unit: z.string().optional(),
  container: z.string().optional(),
})
export type ProcessItem = z.output<typeof processItem>

/** What a process can be sent. */
export const signals = ['TERM', 'KILL', 'STOP', 'CONT', 'HUP'] as const
export type Signal = (typeof signals)[number]

/** `started` as of the item: another process that has the number by now gets nothing. */
const started = z
  .string()
  .regex(/^\d{1,20}$/)
  .optional()

export const signalOrder = z.object({ signal: z.enum(signals), started })
export const priorityOrder = z.object({ nice: z.int().min(-20).max(19), started })

/** What a process holds open, or a port on which it listens. */
export const openFile = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('file'),
    /** The number of its descriptor; of FreeBSD and macOS also words: `cwd`, `txt`. */
    descriptor: z.string(),
    /** A path, or what the system says in its place: `socket:[4026]`, `pipe:[17]`. */
    name: z.string(),
  }),
  z.object({ kind: z.literal('port'), protocol: z.string(), address: z.string(), port: z.int() }),
])
export type OpenFile = z.output<typeof openFile>
