import { z } from 'zod'

/** What became of a test message. */
export const notifierTest = z.object({
  sent: z.boolean(),
  /** HTTP status, or the code of a mail server; 0 without a reply. */
  code: z.int(),
  /** The beginning of the reply, or why it could not be sent; without secrets. */
  reply: z.string(),
})
