import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** What PgBouncer takes of a client when it connects; it refuses the client for anything else. */
const knownParameters = ['user', 'database', 'application_name', 'client_encoding', 'datestyle', 'timezone']

/**
 * A pooler in front of a database, with what a server notices of PgBouncer: in both modes it refuses other parameters at
 * the start of a connection; with `transaction` nobody is told of what they listen for, because the connection of
 * PostgreSQL that listens is somebody else's by then; and from the connection `most` on, statements wait for ever.
 * It ends with the test.
 * @returns the database by way of it
 */
export async function poolerTo(
  databaseUrl: string,
  { mode, most = Number.POSITIVE_INFINITY }: { mode: 'session' | 'transaction'; most?: number },
): Promise<string> {
  const target = new URL(databaseUrl)
  const open = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(Number(target.port || 5432), target.hostname)
    const isFull = open.size >= most
    open.add(near)
    near
      .on('error', () => {})
      .once('close', () => {
        open.delete(near)
        far.destroy()
      })
    far.on('error', () => {}).once('close', () => near.destroy())
    near.once('data', (start: Buffer) => {
      const words = start.toString('utf8', 8).split('\0')
      const unknown = words
        .filter((_, place) => place % 2 === 0)
        .find((name) => name && !knownParameters.includes(name))
      if (unknown) {
        near.end(refusal(`unsupported startup parameter: ${unknown}`))
        return
      }
      far.write(start)
      if (!isFull) near.pipe(far)
    })
    if (mode === 'session') far.pipe(near)
    else passMessages(far, near)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  const own = new URL(databaseUrl)
  own.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return own.href
}

/** Passes whole messages on, except those of `NOTIFY`. */
function passMessages(far: Socket, near: Socket): void {
  let read = Buffer.alloc(0)
  far.on('data', (chunk: Buffer) => {
    read = Buffer.concat([read, chunk])
    while (read.length >= 5) {
      const length = 1 + read.readUInt32BE(1)
      if (read.length < length) return
      const message = read.subarray(0, length)
      read = read.subarray(length)
      if (message[0] !== 'A'.charCodeAt(0)) near.write(message)
    }
  })
}

function refusal(text: string): Buffer {
  const body = Buffer.from(['SFATAL', 'VFATAL', 'C08P01', `M${text}`, '', ''].join('\0'))
  const head = Buffer.from('E\0\0\0\0')
  head.writeUInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}
