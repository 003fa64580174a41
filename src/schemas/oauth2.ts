import { z } from 'zod'

/** What a visit to a provider is for, as the wire numbers it (CONTRACT section 6). */
export const oauth2Intents = { login: 1, bind: 2 } as const

/** Begins a visit: the provider's name as it is configured, letter by letter. */
export const oauth2Start = z.object({ provider: z.string().min(1), type: z.int() })

/** Where the browser has to go. */
export const oauth2Redirect = z.object({ redirect: z.string() })
