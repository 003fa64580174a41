import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A network between one node and its database that can be cut. */
export interface NetworkTo {
  /** The database by way of it. */
  url: string
  /** Ends all connections and refuses new ones, or lets nothing through without a word. */
  cut(how: 'refused' | 'silent'): void
  /** Lets nothing through on the connections that are open, without a word, as a firewall that has forgotten them. */
  forget(): void
  mend(): void
  close(): void
}

export async function networkTo(databaseUrl: string): Promise<NetworkTo> {
  const target = new URL(databaseUrl)
  const open = new Set<Socket>()
  /** The near ends. */
  const forgotten = new WeakSet<Socket>()
  let state: 'whole' | 'refused' | 'silent' = 'whole'
  const server = createServer((near) => {
    if (state === 'refused') return void near.destroy()
    const far = connect(Number(target.port || 5432), target.hostname)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from)
      from.on('data', (chunk) => state === 'whole' && !forgotten.has(near) && to.write(chunk))
      from.on('error', () => {})
      from.once('close', () => {
        open.delete(from)
        // Who is cut off without a word hears of no end either.
        if (state !== 'silent' && !forgotten.has(near)) to.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const endAll = () => {
    for (const socket of open) socket.destroy()
  }
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
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
    close() {
      state = 'refused'
      endAll()
      server.close()
    },
  }
}
