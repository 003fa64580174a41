import { z } from 'zod'

/** `GET /profile`. Old servers add the password's hash, which is dropped, and omit the role of administrators. */
export const profile = z
  .looseObject({
    id: z.int(),
    username: z.string().default(''),
    role: z.int().default(0),
    login_ip: z.string().optional(),
    agent_secret: z.string().optional(),
    reject_password: z.boolean().optional(),
    oauth2_bind: z.record(z.string(), z.string()).nullish(),
    /** Names of the directories by LDAP at which an account can be bound. Embedded server only. */
    directories: z.array(z.string()).optional(),
    /** By which of their notifiers they are told while on duty. Embedded server only. */
    notifiers: z.array(z.int()).optional(),
    /**
     * How many servers are offline, disks full, quotas used up, contracts ending, alarms and outages running now of what this person sees, without what is
     * silenced and the alarms of servers that are offline: the console keeps a place for them before it knows which.
     * Absent when there are none. Embedded server only.
     */
    troubles: z.int().optional(),
  })
  .transform(({ password: _hash, ...rest }) => rest)
export type Profile = z.output<typeof profile>

/** `POST /login`: name at least 2 characters, password not empty. */
export const credentials = z.object({
  username: z.string().min(2),
  password: z.string().min(1),
})

/** Reply of a sign-in or a refresh: the token and when it expires (RFC 3339). */
export const grant = z.object({ token: z.string(), expire: z.string() })
