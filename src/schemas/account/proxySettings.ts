import { z } from 'zod'
import { line } from '../define/fields.ts'

/** People whom a proxy in front names in a header. The server checks the values, and says what to do. */
export const proxySettings = z.object({
  /** As `192.0.2.7, 10.0.0.0/24`: the other end of the connection, whatever headers say about the client. */
  addresses: line(4096).min(1),
  /** Holds the user name. */
  header: line(64).min(1).default('Remote-User'),
  /** Holds the groups; '' when the proxy does not say them. */
  groups_header: line(64).default(''),
  /** What is between two groups. */
  separator: line(8).min(1).default(','),
  /** Where a sign-out leads, so that the proxy forgets the person too; '' to stay here. */
  sign_out_url: line(2048).default(''),
})
export type ProxySettings = z.output<typeof proxySettings>
