import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { BerReader, BindRequest, ExtendedRequest, ProtocolOperation } from 'ldapts'
import { selfSigned } from '../server/certificates/selfSigned.ts'
import { startRawServer } from './rawServer.ts'

/** An entry: its attributes, and the password with which it may bind. */
export interface LdapEntry {
  dn: string
  password?: string
  attributes: Readonly<Record<string, string | readonly string[]>>
}

interface LdapServerOptions {
  entries: readonly LdapEntry[]
  /** `ldaps`, or in clear with StartTLS on demand. Default: in clear. */
  tls?: boolean
  /** Replaces the reply to an operation. @returns whether it did */
  intercept?(operation: 'bind' | 'search' | 'startTls', socket: Socket, id: number): boolean
}

/** What a directory was asked, in order. */
export interface LdapServer {
  port: number
  url: string
  binds: { dn: string; password: string; isSecure: boolean }[]
  searches: { base: string; filter: string }[]
}

/** One element of BER. */
export function ber(tag: number, ...parts: readonly (Buffer | string)[]): Buffer {
  const value = Buffer.concat(parts.map((part) => Buffer.from(part)))
  const { length } = value
  const size =
    length < 0x80
      ? [length]
      : length < 0x10000
        ? [0x82, length >> 8, length & 255]
        : [0x84, 0, length >> 16, (length >> 8) & 255, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), value])
}

const integer = (value: number) =>
  ber(2, Buffer.from([value >> 24, value >> 16, value >> 8, value].map((byte) => byte & 255)))

/** The end of a request. */
export const ldapResult = (id: number, tag: number, code: number, text = ''): Buffer =>
  ber(0x30, integer(id), ber(tag, ber(10, Buffer.from([code])), ber(4), ber(4, text)))

export const ldapEntry = (id: number, { dn, attributes }: LdapEntry): Buffer =>
  ber(
    0x30,
    integer(id),
    ber(
      0x64,
      ber(4, dn),
      ber(
        0x30,
        ...Object.entries(attributes).map(([name, values]) =>
          ber(0x30, ber(4, name), ber(0x31, ...[values].flat().map((value) => ber(4, value)))),
        ),
      ),
    ),
  )

const reference = (id: number) => ber(0x30, integer(id), ber(0x73, ber(4, 'ldap://elsewhere.example/dc=x')))

/**
 * A directory of entries that speaks LDAP as far as a sign-in goes: bind, search, StartTLS, unbind. As real ones, it lets
 * in everybody who gives a name and no password. A search also refers to another server, as Active Directory does.
 */
export async function startLdapServer({ entries, tls = false, intercept }: LdapServerOptions): Promise<LdapServer> {
  const binds: LdapServer['binds'] = []
  const searches: LdapServer['searches'] = []

  function serve(socket: Socket): void {
    let waiting: Buffer = Buffer.alloc(0)
    const onData = (bytes: Buffer) => {
      waiting = Buffer.concat([waiting, bytes])
      for (;;) {
        const reader = new BerReader(waiting)
        if (reader.readSequence() === null || reader.remain < reader.length) return
        const end = reader.offset + reader.length
        waiting = waiting.subarray(end)
        answer(reader)
      }
    }

    function answer(reader: BerReader): void {
      const id = reader.readInt() ?? 0
      const operation = reader.readSequence()
      if (operation === ProtocolOperation.LDAP_REQ_BIND) bind(id, reader)
      else if (operation === ProtocolOperation.LDAP_REQ_SEARCH) search(id, reader)
      else if (operation === ProtocolOperation.LDAP_REQ_EXTENSION) startTls(id, reader)
      else socket.end()
    }

    function bind(id: number, reader: BerReader): void {
      const request = new BindRequest({ messageId: id })
      request.parseMessage(reader)
      const { dn, password } = request
      binds.push({ dn, password, isSecure: socket instanceof TLSSocket })
      if (intercept?.('bind', socket, id)) return
      const entry = entries.find((one) => one.dn.toLowerCase() === dn.toLowerCase())
      const isIn = password === '' || (entry?.password !== undefined && entry.password === password)
      socket.write(ldapResult(id, 0x61, isIn ? 0 : 49))
    }

    function search(id: number, reader: BerReader): void {
      const base = reader.readString() ?? ''
      const scope = reader.readEnumeration()
      reader.readEnumeration()
      const sizeLimit = reader.readInt() ?? 0
      reader.readInt()
      reader.readBoolean()
      const filter = readFilter(reader)
      searches.push({ base, filter: filter.text })
      if (intercept?.('search', socket, id)) return
      const found = entries.filter(({ dn, attributes }) => {
        const isHere = scope === 0 ? dn === base : dn.endsWith(base)
        return isHere && filter.matches({ ...attributes, objectClass: attributes.objectClass ?? 'person' })
      })
      const sent = sizeLimit > 0 ? found.slice(0, sizeLimit) : found
      socket.write(
        Buffer.concat([
          ...sent.map((entry) => ldapEntry(id, entry)),
          reference(id),
          ldapResult(id, 0x65, sent.length < found.length ? 4 : 0),
        ]),
      )
    }

    function startTls(id: number, reader: BerReader): void {
      const request = new ExtendedRequest({ messageId: id })
      request.parseMessage(reader)
      if (intercept?.('startTls', socket, id)) return
      socket.off('data', onData)
      socket.write(ldapResult(id, 0x78, 0))
      secure(socket)
    }

    socket.on('data', onData)
  }

  function secure(socket: Socket): void {
    const encrypted = new TLSSocket(socket, { isServer: true, ...selfSigned })
    encrypted.on('error', () => socket.destroy())
    serve(encrypted)
  }

  const { port } = await startRawServer((socket) => (tls ? secure(socket) : serve(socket)))
  return { port, url: `${tls ? 'ldaps' : 'ldap'}://127.0.0.1:${port}`, binds, searches }
}

interface Filter {
  text: string
  matches(attributes: LdapEntry['attributes']): boolean
}

/** A filter of `&`, `|`, equality and presence: what sign-ins search with. The library reads presence wrongly. */
function readFilter(reader: BerReader): Filter {
  const tag = reader.readSequence()
  const end = reader.offset + reader.length
  if (tag === 0xa0 || tag === 0xa1) {
    const parts: Filter[] = []
    while (reader.offset < end) parts.push(readFilter(reader))
    const text = `(${tag === 0xa0 ? '&' : '|'}${parts.map((part) => part.text).join('')})`
    const isOne = (attributes: LdapEntry['attributes']) => (part: Filter) => part.matches(attributes)
    return {
      text,
      matches: (attributes) => (tag === 0xa0 ? parts.every(isOne(attributes)) : parts.some(isOne(attributes))),
    }
  }
  if (tag === 0x87) {
    const name = reader.buffer.subarray(reader.offset, end).toString()
    reader.offset = end
    return { text: `(${name}=*)`, matches: (attributes) => valuesOf(attributes, name).length > 0 }
  }
  if (tag !== 0xa3) throw new Error(`This directory knows no filter 0x${tag?.toString(16)}.`)
  const [name, value] = [reader.readString() ?? '', reader.readString() ?? '']
  const isEqual = (one: string) => one.toLowerCase() === value.toLowerCase()
  return { text: `(${name}=${value})`, matches: (attributes) => valuesOf(attributes, name).some(isEqual) }
}

function valuesOf(attributes: LdapEntry['attributes'], name: string): readonly string[] {
  const found = Object.entries(attributes).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1]
  return found === undefined ? [] : [found].flat()
}
