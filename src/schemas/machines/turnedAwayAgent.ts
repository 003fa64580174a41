import { z } from 'zod'

/** An agent whose server was deleted: it is refused until somebody lets it in again. Embedded server only. */
export const turnedAwayAgent = z.looseObject({
  uuid: z.string(),
  /** Of the server that was deleted. */
  name: z.string().optional(),
  /** RFC 3339. */
  deleted_at: z.string(),
  /** From where it called last, and when (RFC 3339), since the start of the server. */
  address: z.string().optional(),
  called_at: z.string().optional(),
})
export type TurnedAwayAgent = z.output<typeof turnedAwayAgent>
