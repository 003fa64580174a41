import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/**
 * What a cut does: it ends all connections and refuses new ones; lets nothing through without a word; or nothing in one
 * direction, of those who connect or of those who answer.
 */
export type Cut = 'refused' | 'silent' | 'no requests' | 'no answers'

/** A network between one node and its database, or another node, that can be cut. */
export interface NetworkTo {
  /** The database by way of it. */
  url: string
  cut(how: Cut): void
  /** Lets nothing through on the connections that are open, without a word, as a firewall that has forgotten them. */
  forget(): void
  mend(): void
  /** Leads to another database from now on, as an address that was moved. */
  moveTo(databaseUrl: string): void
  close(): void
}

/**
 * @param at where it listens, in place of any free port
 * @param before done before what is asked goes on
 */
export async function networkTo(
  databaseUrl: string,
  at = { host: '127.0.0.1', port: 0 },
  before?: (bytes: Buffer) => Promise<void>,
): Promise<NetworkTo> {
  let target = new URL(databaseUrl)
  const open = new Set<Socket>()
  /** The near ends. */
  const forgotten = new WeakSet<Socket>()
  let state: Cut | 'whole' = 'whole'
  const server = createServer((near) => {
    if (state === 'refused') return void near.destroy()
    const far = connect(Number(target.port || 5432), target.hostname)
    for (const [from, to, cutAlone] of [
      [near, far, 'no requests'],
      [far, near, 'no answers'],
    ] as const) {
      const isCut = () => forgotten.has(near) || state === 'silent' || state === cutAlone
      open.add(from)
      from.on('data', async (chunk) => {
        if (from === near) await before?.(chunk)
        if (!isCut()) to.write(chunk)
      })
      from.on('error', () => {})
      from.once('close', () => {
        open.delete(from)
        // Who is cut off without a word hears of no end either.
        if (!isCut()) to.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(at.port, at.host, resolve))
  const endAll = () => {
    for (const socket of open) socket.destroy()
  }
  const url = new URL(databaseUrl)
  url.host = `${at.host}:${(server.address() as AddressInfo).port}`
  return {
    url: url.href,
    cut(how) {
      state = how
      if (how === 'refused') endAll()
    },
    forget() {
      for (const socket of open) forgotten.add(socket)
    },
    mend() {
      // What was lost meanwhile would be missing in the middle.
      endAll()
      state = 'whole'
    },
    moveTo(nextUrl) {
      target = new URL(nextUrl)
      endAll()
    },
    close() {
      state = 'refused'
      endAll()
      server.close()
    },
  }
}
