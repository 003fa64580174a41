import { z } from 'zod'

/** Headers that browsers or every client send, or that mean something else here: they name nobody. */
const otherHeaders = [
  'accept',
  'authorization',
  'connection',
  'cookie',
  'host',
  'origin',
  'referer',
  'user-agent',
  'x-csrf-token',
]

const headerName = z
  .string()
  .trim()
  .max(64)
  .regex(/^[a-z\d-]*$/i, { error: 'must be the name of a header: letters, digits and hyphens' })
  .refine((name) => !otherHeaders.includes(name.toLowerCase()), { error: 'is a header that every client may send' })

/** An address or a network, as far as its letters say; the server reads it. */
const isRange = (text: string) => /^[\d.a-f:]+(\/\d{1,3})?$/i.test(text)

/** An address of the web, or a path of the same host; not of another one (`//host`). */
const isTarget = (text: string) =>
  text === '' || /^\/(?![/\\])[^\s\\]*$/.test(text) || (/^https?:\/\//i.test(text) && URL.canParse(text))

/** People whom a proxy in front names in a header. Only connections from its addresses count. */
export const proxySettings = z.object({
  /** As `192.0.2.7, 10.0.0.0/24`: the other end of the connection, whatever headers say about the client. */
  addresses: z
    .string()
    .trim()
    .min(1)
    .max(4096)
    .refine((text) => text.split(',').every((entry) => isRange(entry.trim())), {
      error: 'must be addresses and networks with commas between them, like 192.0.2.7, 10.0.0.0/24',
    }),
  /** Holds the user name. */
  header: headerName.min(1).default('Remote-User'),
  /** Holds the groups; '' when the proxy does not say them. */
  groups_header: headerName.default(''),
  /** What is between two groups. */
  separator: z.string().min(1).max(8).default(','),
  /** Where a sign-out leads, so that the proxy forgets the person too; '' to stay here. */
  sign_out_url: z
    .string()
    .trim()
    .max(2048)
    .refine(isTarget, { error: 'must be an address with https://, or a path that begins with one /' })
    .default(''),
})
export type ProxySettings = z.output<typeof proxySettings>
