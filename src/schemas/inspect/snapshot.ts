import { z } from 'zod'
import { answerOf, silenceCauses } from './answer.ts'
import { diskItem } from './hardware.ts'
import { logLine } from './logs.ts'
import { processItem } from './processes.ts'
import { unitItem } from './units.ts'

/**
 * What a machine said of itself when an alarm began. Without `at` none was taken, and `reason` says why; with a `cause`
 * the machine could not be asked.
 */
export const snapshot = z.object({
  server_id: z.int().optional(),
  /** When it was taken. Alarms of one machine within a minute share one. */
  at: z.string().optional(),
  /** Why there is nothing of it, in words. */
  reason: z.string().optional(),
  /** The same for programs, as `answerOf` has it. */
  cause: z.enum(silenceCauses).optional(),
  detail: z.string().optional(),
  /** Those that took most of the processor, and those that took most of the memory, each once. */
  processes: answerOf(processItem).optional(),
  disks: answerOf(diskItem).optional(),
  /** Those that have failed. */
  units: answerOf(unitItem).optional(),
  /** The last lines of the journal. */
  logs: answerOf(logLine).optional(),
})
export type Snapshot = z.output<typeof snapshot>

/** How many processes are taken by each measure, and lines of the journal. */
export const snapshotCounts = { processes: 10, lines: 50 } as const
