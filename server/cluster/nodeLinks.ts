import { hkdfSync } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, isIP, isIPv6, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { connect, createServer, type TLSSocket } from 'node:tls'
import { z } from 'zod'
import { errorMessage } from '../../src/domain/errors.ts'
import { addressGroup } from '../auth/addresses/clientAddress.ts'
import { createPlaceQueue, type PlaceLimits } from '../concurrency/placeQueue.ts'
import { readArrived } from '../http/sniffStart.ts'
import { StartError } from '../log.ts'

/**
 * The connections between the nodes of a cluster: TLS with a key that both sides have (a pre-shared key made of
 * `CLUSTER_KEY`) in place of certificates. Each carries one connection of a visitor, whose address comes first, or what a
 * node tells of its agents.
 */
export interface NodeLinks {
  /** Where other nodes reach this one, as `10.0.0.5:41234`. */
  readonly address: string
  /** Who gets the connections of other nodes. Until there is somebody, they wait for a moment. */
  accept(takers: LinkTakers): void
  /** Takes no more of them, so that other nodes keep them for the next leader. Those that are open go on. */
  refuse(): void
  close(): void
}

/** Who gets the connections that other nodes make. */
export interface LinkTakers {
  /** One of a visitor of theirs, whose address it has. */
  visitor(socket: Socket): void
  /** One on which a node tells of its agents, in this version of what is said there. */
  agents(socket: Socket, protocol: number): void
}

/** What a link is for: it is said in its first line. */
export type LinkPurpose =
  | {
      remoteAddress?: string
      remotePort?: number
      /** Whether the visitor speaks TLS, which has ended at this node. */
      isDecrypted?: boolean
    }
  | { agents: number }

interface LinkOptions {
  /** 32 bytes. */
  key: Buffer
  /** `host:port` or `host`, when the operator chose it. */
  chosen: string | undefined
  /** Where the server listens for visitors. */
  host: string
  limits?: Partial<PlaceLimits>
}

/** The one way of TLS with a key of both sides that also keeps what was recorded secret when the key is lost later. */
const tls = { ciphers: 'ECDHE-PSK-CHACHA20-POLY1305', minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2' } as const
const identity = 'wheelhouse'
/** Milliseconds for TLS and for the line that says what a link is for. */
const beginMs = 5000
/** Characters of that line. */
const maxLine = 200
/** Connections that have not shown yet that they have the key, from each address and in total: others wait. */
const defaultLimits: PlaceLimits = { perKey: 512, total: 1024, waiting: 8192, waitMs: 3000 }

/** Milliseconds that connections wait for a node that begins to lead, and how many of them. */
const [heldMs, mostHeld] = [10_000, 4096]

const sharedKey = (key: Buffer) => Buffer.from(hkdfSync('sha256', key, '', 'wheelhouse node links', 32))

/** @throws StartError when the address cannot be listened on */
export async function openNodeLinks({ key, chosen, host, limits }: LinkOptions): Promise<NodeLinks> {
  const psk = sharedKey(key)
  const open = new Set<Socket>()
  const places = createPlaceQueue({ ...defaultLimits, ...limits })
  /** Give the places of connections back, by their other end. */
  const releases = new Map<string, () => void>()
  let takers: LinkTakers | undefined
  const held = new Map<TLSSocket, LinkPurpose>()
  const server = createServer(
    { ...tls, handshakeTimeout: beginMs, pskCallback: (_socket, name) => (name === identity ? psk : null) },
    (socket) => {
      releases.get(peerOf(socket))?.()
      open.add(socket)
      socket.once('close', () => open.delete(socket))
      readPurpose(socket, (purpose) => {
        if (takers) give(takers, socket, purpose)
        else hold(socket, purpose)
      })
    },
  )

  function give({ agents, visitor }: LinkTakers, socket: TLSSocket, purpose: LinkPurpose): void {
    if ('agents' in purpose) agents(socket, purpose.agents)
    else visitor(socket)
  }

  /** The others know who leads some moments before it can answer. */
  function hold(socket: TLSSocket, purpose: LinkPurpose): void {
    if (held.size >= mostHeld) return void socket.destroy()
    held.set(socket, purpose)
    socket.setTimeout(heldMs, endSocket)
    socket.once('close', () => held.delete(socket))
  }

  const [beginTls] = server.listeners('connection')
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    const peer = peerOf(socket)
    // Errors while it waits; 'close' follows.
    socket.on('error', () => {})
    const release = places.enter(addressGroup(socket.remoteAddress ?? ''), {
      onPlace: () => beginTls?.call(server, socket),
      onRefused: () => socket.destroy(),
    })
    releases.set(peer, release)
    socket.once('close', () => {
      releases.delete(peer)
      release()
    })
  })
  // Whoever does not have the key; the connection is ended by itself.
  server.on('tlsClientError', () => {})
  const [name, port] = splitAddress(chosen ?? addressFor(host))
  server.listen({ host: isIP(name) && chosen === undefined ? name : listenAddress(host), port })
  try {
    await once(server, 'listening')
  } catch (error) {
    throw new StartError(
      `Other nodes cannot reach this one at ${name}, port ${port} (${errorMessage(error)}): set CLUSTER_ADDRESS to an address of this machine and a free port.`,
      { cause: error },
    )
  }
  const { port: actual } = server.address() as AddressInfo
  return {
    address: `${isIPv6(name) ? `[${name}]` : name}:${actual}`,
    accept(next) {
      takers = next
      for (const [socket, purpose] of held) {
        held.delete(socket)
        socket.setTimeout(0, endSocket)
        give(next, socket, purpose)
      }
    },
    refuse: () => void server.close(),
    close() {
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}

/**
 * Connects to another node. What is written before the link is there follows the line that says what it is for.
 * @param onReady called when that line has left
 */
export function openLink(address: string, key: Buffer, purpose: LinkPurpose, onReady = () => {}): TLSSocket {
  const [host, port] = splitAddress(address)
  const psk = sharedKey(key)
  const socket = connect({
    ...tls,
    host,
    port,
    // The key is what proves who is there: there is no certificate.
    checkServerIdentity: () => undefined,
    pskCallback: () => ({ psk, identity }),
  })
  socket.setNoDelay(true)
  socket.setTimeout(beginMs, () => socket.destroy())
  socket.once('secureConnect', () => socket.setTimeout(0))
  const line =
    'agents' in purpose
      ? { agents: purpose.agents }
      : [purpose.remoteAddress, purpose.remotePort, purpose.isDecrypted === true]
  socket.write(`${JSON.stringify(line)}\n`, (error) => {
    if (!error) onReady()
  })
  return socket
}

function endSocket(this: Socket): void {
  this.destroy()
}

const peerOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`

function readPurpose(socket: TLSSocket, onRead: (purpose: LinkPurpose) => void): void {
  const timer = setTimeout(() => socket.destroy(), beginMs)
  let read = Buffer.alloc(0)
  const end = () => void socket.destroy()

  function readLine(): void {
    read = Buffer.concat([read, readArrived(socket)])
    const length = read.indexOf('\n')
    if (length < 0 && read.length < maxLine) return
    clearTimeout(timer)
    socket.off('readable', readLine)
    socket.off('error', end)
    const purpose = purposeIn(read.toString('latin1', 0, Math.max(0, length)))
    if (!purpose) {
      end()
      return
    }
    if (read.length > length + 1) socket.unshift(read.subarray(length + 1))
    if (!('agents' in purpose)) actAs(socket, purpose)
    socket.setNoDelay(true)
    onRead(purpose)
  }

  socket.on('readable', readLine)
  socket.on('error', end)
  socket.once('close', () => clearTimeout(timer))
}

const purposeLine = z.union([
  z.tuple([z.union([z.ipv4(), z.ipv6()]), z.number(), z.boolean()]),
  z.object({ agents: z.number() }),
])

function purposeIn(line: string): LinkPurpose | undefined {
  try {
    const purpose = purposeLine.parse(JSON.parse(line))
    if ('agents' in purpose) return purpose
    const [remoteAddress, remotePort, isDecrypted] = purpose
    return { remoteAddress, remotePort, isDecrypted }
  } catch {
    return undefined
  }
}

/** Gives a connection the other end that the visitor has, for whoever asks, TLS on top of it included. */
function actAs(socket: TLSSocket, visitor: Exclude<LinkPurpose, { agents: number }>): void {
  const { remoteAddress: address = '', remotePort: port, isDecrypted = false } = visitor
  const family = isIPv6(address) ? 'IPv6' : 'IPv4'
  for (const [name, value] of Object.entries({ remoteAddress: address, remotePort: port, remoteFamily: family }))
    Object.defineProperty(socket, name, { value, configurable: true })
  const { _handle: handle } = socket as unknown as { _handle: { getpeername(out: object): number } }
  handle.getpeername = (out) => {
    Object.assign(out, { address, port, family })
    return 0
  }
  // Between visitor and node it may be plain HTTP, and HTTP/2 without TLS: what counts is what the visitor speaks.
  Object.defineProperty(socket, 'encrypted', { value: isDecrypted, configurable: true })
  socket.alpnProtocol = 'h2'
}

function splitAddress(text: string): [host: string, port: number] {
  const [, host = '', port] =
    /^(.*?)(?::(\d{1,5}))?$/.exec(text.replace(/^\[(.*)\]/, (_, name) => name.replaceAll(':', '\n'))) ?? []
  return [host.replaceAll('\n', ':'), Number(port ?? 0)]
}

/** The address of this machine that others reach: the one that the server listens on, or the first to the outside. */
function addressFor(host: string): string {
  if (host !== '0.0.0.0' && host !== '::') return isIPv6(host) ? `[${host}]` : host
  const outside = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
  const found =
    outside.find(({ internal, family }) => !internal && family === 'IPv4') ?? outside.find(({ internal }) => !internal)
  return found ? (isIPv6(found.address) ? `[${found.address}]` : found.address) : '127.0.0.1'
}

/** All addresses of the machine, unless the server keeps to this machine itself. */
const listenAddress = (host: string) => (host === 'localhost' || host.startsWith('127.') ? '127.0.0.1' : host)
