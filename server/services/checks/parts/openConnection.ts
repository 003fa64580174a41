import type { Duplex } from 'node:stream'
import { parseTarget } from '../../../machines/hosts/parseTarget.ts'
import { openTls } from '../../../outbound/openTls.ts'
import type { RunContext } from './runner.ts'
import { type Conversation, converse } from './textConnection.ts'

export interface OpenConnection {
  stream: Duplex
  /** Whether it is known that the target has taken the connection: another machine may only say so with the first byte. */
  isConnected: boolean
}

interface TlsWanted {
  tls?: boolean
  verify_tls?: boolean
  /** The protocols to choose from in TLS. */
  alpn?: readonly string[]
}

/**
 * Connects to `host:port`, and begins TLS where a check asks for it.
 * @throws an error of the connection or of TLS
 */
export async function openConnection(
  target: string,
  context: RunContext,
  { tls = false, ...wanted }: TlsWanted = {},
): Promise<OpenConnection> {
  const { host, port } = parseTarget(target)
  const { stream, name, connect } = await context.dial(host, port, context.signal)
  const { phases } = context
  Object.assign(phases, { ...(name !== undefined && { name }), ...(connect !== undefined && { connect }) })
  if (!tls) return { stream, isConnected: connect !== undefined }
  return { stream: await secured(stream, target, context, wanted), isConnected: true }
}

/**
 * Begins TLS over a connection, which ends when that fails.
 * @param target `host:port`, which the certificate must be for
 * @throws an error of the connection or of TLS
 */
export async function secured(
  stream: Duplex,
  target: string,
  { signal, phases, peers }: RunContext,
  { verify_tls = true, alpn }: Omit<TlsWanted, 'tls'>,
): Promise<Duplex> {
  const startedAt = performance.now()
  try {
    const { host } = parseTarget(target)
    const options = { host, verify: verify_tls, peers, address: target, ...(alpn && { alpn }) }
    const socket = await openTls(stream, options, signal)
    phases.tls = performance.now() - startedAt
    return socket
  } catch (error) {
    stream.destroy()
    throw error
  }
}

/** Talks over a connection of its own, which ends with the talk. */
export async function talkTo<T>(
  target: string,
  context: RunContext,
  options: Parameters<typeof openConnection>[2],
  work: (talk: Conversation) => Promise<T>,
): Promise<T> {
  const { stream } = await openConnection(target, context, options)
  try {
    return await work(timedTalk(stream, context))
  } finally {
    stream.destroy()
  }
}

/** A conversation that notes when its first byte has come. */
export function timedTalk(stream: Duplex, { signal, phases }: RunContext): Conversation {
  const startedAt = performance.now()
  return converse(stream, signal, () => {
    phases.first_byte ??= performance.now() - startedAt
  })
}
