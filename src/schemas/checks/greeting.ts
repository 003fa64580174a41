import { z } from 'zod'
import { limits } from '../define/fields.ts'
import { defineCheck, optionalText } from './checkKind.ts'

const secure = {
  /** Whether TLS is there from the beginning, as on port 465 or 993. */
  tls: z.boolean().default(false),
  verify_tls: z.boolean().default(true),
  /** What the server must say that it can, as `STARTTLS`; several with blanks between them. */
  capabilities: optionalText(limits.shortText),
} as const

/** A mail server that takes mail. */
export const smtpCheck = defineCheck({
  target: 'host_port',
  schema: z.object({ kind: z.literal('smtp'), ...secure }),
})

/** A mail server that people read their mail from. */
export const imapCheck = defineCheck({
  target: 'host_port',
  schema: z.object({ kind: z.literal('imap'), ...secure }),
})

/** A mail server that people fetch their mail from. */
export const pop3Check = defineCheck({
  target: 'host_port',
  schema: z.object({ kind: z.literal('pop3'), ...secure }),
})

/** An SSH server. */
export const sshCheck = defineCheck({
  target: 'host_port',
  schema: z.object({
    kind: z.literal('ssh'),
    /** Must be in its greeting, as `OpenSSH`. */
    expect: optionalText(limits.shortText),
  }),
})
