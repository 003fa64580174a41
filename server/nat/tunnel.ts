import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { natFailureOf, refuseUpgrade } from './failure.ts'
import { askOver } from './forward.ts'
import { replyHeaders } from './headers.ts'

interface Tunnelling {
  /** To the service; it is ours from now on. */
  line: Duplex
  /** Names and values in turn. */
  headers: string[]
  /** How long one end may take to read what is left when the other has gone, in ms. */
  partingMs: number
  /** Told when the service begins to answer. */
  onAnswer(): void
}

/**
 * Whether a request wants to speak another protocol from here on, as WebSockets do. Another HTTP (`h2c`) or TLS may be
 * asked for beside a request that stands for itself, and one with a body is answered first: those go on as they are.
 */
export function wantsTunnel({ headers }: IncomingMessage): boolean {
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
  return headers.upgrade !== undefined && !hasBody && !/^(h2c|http|tls)/i.test(headers.upgrade)
}

/** Passes a connection on that changes its protocol, byte by byte, once the service agrees. */
export function tunnel(asked: IncomingMessage, client: Duplex, head: Buffer, options: Tunnelling): void {
  const { line, headers, partingMs, onAnswer } = options
  const outgoing = askOver(line, asked, headers)
  let hasAnswered = false
  const giveUp = () => outgoing.destroy()
  client.once('close', giveUp)

  outgoing.on('upgrade', (reply, _socket, first) => {
    onAnswer()
    client.off('close', giveUp)
    const upgrade = reply.headers.upgrade ?? asked.headers.upgrade ?? ''
    client.write(headOf(reply, ['Connection', 'Upgrade', 'Upgrade', upgrade]), 'latin1')
    client.write(first)
    line.write(head)
    join(client, line, partingMs)
  })
  outgoing.on('response', (reply) => {
    onAnswer()
    // No visitor could read such an answer.
    if ((reply.statusCode ?? 0) < 100) return void outgoing.destroy(new Error(`the status ${reply.statusCode}`))
    hasAnswered = true
    client.write(headOf(reply, ['Connection', 'close']), 'latin1')
    reply.pipe(client)
    reply.on('error', () => client.destroy())
    reply.on('end', () => client.end(() => client.destroy()))
  })
  outgoing.on('error', (error) => {
    if (!hasAnswered) refuseUpgrade(client, natFailureOf(error))
  })
  outgoing.end()
}

/** What one end writes, the other reads, until one of them has gone; a connection that broke there breaks here. */
function join(one: Duplex, other: Duplex, partingMs: number): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.on('error', () => {})
    from.pipe(to)
    from.once('close', () => {
      // What it still said is delivered; but nobody waits for the other end for ever.
      const timer = setTimeout(() => to.destroy(), partingMs)
      to.once('close', () => clearTimeout(timer))
      to.end(() => to.destroy())
    })
  }
}

/** The head of a reply, with what it says of this connection. */
function headOf(reply: IncomingMessage, ofConnection: readonly string[]): string {
  const flat = [...replyHeaders(reply), ...ofConnection]
  const lines = flat.map((text, at) => (at % 2 === 0 ? `${text}: ` : `${text}\r\n`))
  return `HTTP/1.1 ${reply.statusCode} ${reply.statusMessage}\r\n${lines.join('')}\r\n`
}
