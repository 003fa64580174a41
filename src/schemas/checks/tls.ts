import { z } from 'zod'
import { limits } from '../define/fields.ts'
import { isHostName } from '../formats/target.ts'
import { defineCheck, pem } from './checkKind.ts'

/** Protocols in which TLS begins after some words in plain text. */
export const starttlsProtocols = ['', 'smtp', 'imap', 'pop3', 'ftp', 'postgres', 'ldap'] as const

/** The certificate of any port. */
export const tlsCheck = defineCheck({
  target: 'host_port',
  schema: z.object({
    kind: z.literal('tls'),
    starttls: z.enum(starttlsProtocols).default(''),
    /** The certificate must be valid for at least so many days. */
    days_left: z.int().min(0).max(3650).default(7),
    /** The name that it must be for. Empty: the host of the target. */
    name: z
      .string()
      .trim()
      .max(limits.host)
      .refine((name) => name === '' || isHostName(name), { params: { key: 'validation.host_name' } })
      .default(''),
    verify_tls: z.boolean().default(true),
    /** Authorities in PEM that are trusted in place of the usual ones. */
    ca: pem(),
  }),
})
