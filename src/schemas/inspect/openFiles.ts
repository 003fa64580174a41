import { z } from 'zod'

/** What a process holds open, or a port on which it listens. */
export const openFile = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('file'),
    /** The number of its descriptor; of FreeBSD and macOS also words: `cwd`, `txt`. */
    descriptor: z.string(),
    /** A path, or what the system says in its place: `socket:[4026]`, `pipe:[17]`. */
    name: z.string(),
  }),
  z.object({ kind: z.literal('port'), protocol: z.string(), address: z.string(), port: z.int() }),
])
export type OpenFile = z.output<typeof openFile>
