import { z } from 'zod'
import { endpoint } from '../define/endpoint.ts'

/** Accounts at directories by LDAP, for one's own account here. Embedded server only, and never by an API token. */
export const directoryEndpoints = {
  /**
   * Binds the account that somebody has in a directory, by the name and the password there, which are not kept. It is
   * unbound as one of another provider. Wrong ones count as at the sign-in.
   */
  bindDirectory: endpoint('POST', 'wheelhouse/profile/directory', {
    leadsTo: 'credential',
    body: z.object({
      /** The name of the provider, letter by letter. */
      provider: z.string().max(64),
      username: z.string().min(1).max(256),
      password: z.string().min(1).max(1024),
    }),
  }),
} as const
