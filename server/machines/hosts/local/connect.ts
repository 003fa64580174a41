import { connect, isIP, type LookupFunction, type Socket } from 'node:net'
import { resolveTarget, TargetNotAllowedError } from '../../../outbound/resolveTarget.ts'
import { ApiError } from '../../../wire/apiError.ts'
import { ConnectError } from '../host.ts'

/**
 * Connects to a TCP service in the network of this machine. A name is looked up once, and what is connected to is what
 * was judged: where clouds hand out secrets is nobody's target.
 * @param target `host:port`; an IPv6 address in brackets
 * @throws ConnectError, or the reason of `signal`
 */
export async function connectHere(target: string, signal: AbortSignal): Promise<Socket> {
  const [, bracketed, name, port] = /^(?:\[(.*)\]|([^:]*)):(\d{1,5})$/.exec(target) ?? []
  const host = bracketed ?? name
  if (!host || !(Number(port) >= 1 && Number(port) <= 65_535)) throw new ConnectError(wrongTarget)
  try {
    const addresses = await resolveTarget(host, { allowPrivate: true, signal })
    return await open(addresses, Number(port), signal)
  } catch (error) {
    if (signal.aborted) throw signal.reason
    throw new ConnectError(storeErrorMessage(error), { cause: error })
  }
}

const wrongTarget = 'The target behind this name is not one: it must be a host and a port.'

function open(addresses: readonly string[], port: number, signal: AbortSignal): Promise<Socket> {
  const judged: LookupFunction = (_name, _options, done) =>
    done(
      null,
      addresses.map((address) => ({ address, family: isIP(address) })),
    )
  return new Promise((settle, fail) => {
    // A name, so that it asks us for the addresses, and tries one after the other.
    const socket = connect({ host: 'target', port, lookup: judged, autoSelectFamily: true })
    const giveUp = () => socket.destroy(signal.reason)
    signal.addEventListener('abort', giveUp, { once: true })
    socket.once('error', fail)
    socket.once('close', () => signal.removeEventListener('abort', giveUp))
    socket.once('connect', () => {
      signal.removeEventListener('abort', giveUp)
      socket.off('error', fail)
      socket.setNoDelay(true)
      // A machine that has gone without a word is noticed.
      socket.setKeepAlive(true, 30_000)
      settle(socket)
    })
  })
}

function storeErrorMessage(error: unknown): string {
  if (error instanceof TargetNotAllowedError) return 'The target behind this name is not allowed.'
  if (error instanceof ApiError) return 'The target behind this name cannot be found: no such host.'
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ECONNREFUSED') return 'The service behind this name is not running.'
  return 'The service behind this name cannot be reached.'
}
