import { createWaitingBytes } from '../../outbound/waitingBytes.ts'

/** An attribute's name in lower case, and its values. */
export interface Entry {
  dn: string
  attributes: ReadonlyMap<string, readonly Buffer[]>
}

/** What a directory sends: parts of a search, or the end of a request. */
export type Reply =
  | { id: number; kind: 'entry'; entry: Entry }
  | { id: number; kind: 'reference' }
  | { id: number; kind: 'end'; operation: number; code: number; text: string }

/** The tags of BER that replies have (RFC 4511). */
const tags = { integer: 2, octets: 4, enumerated: 10, sequence: 0x30, set: 0x31 } as const
const operations = { entry: 0x64, reference: 0x73 } as const

interface Element {
  tag: number
  value: Buffer
}

/** Takes messages out of what comes over a connection, in time linear to it, however it is cut. */
export interface ReplyReader {
  /** The replies that are whole with these bytes. @throws Error for what is no LDAP, and for a message that is too long */
  add(bytes: Buffer): Iterable<Reply>
  /** Bytes of a message that has not come as a whole. */
  waiting(): number
}

/** @param maxBytes of a message */
export function createReplyReader(maxBytes: number): ReplyReader {
  const bytes = createWaitingBytes()
  return {
    *add(part) {
      bytes.add(part)
      for (let end = messageLength(bytes.all()); end !== undefined; end = messageLength(bytes.all())) {
        if (end > maxBytes) throw new Error(`it sends more than ${maxBytes / 1024 ** 2} MiB`)
        if (end > bytes.length()) return
        yield readReply(bytes.take(end))
      }
    },
    waiting: bytes.length,
  }
}

/**
 * The length of the first message, as far as it can be said.
 * @returns `undefined` when more bytes are needed to know
 * @throws Error when they are no LDAP
 */
function messageLength(bytes: Buffer): number | undefined {
  if (bytes.length > 0 && bytes[0] !== tags.sequence) throw new Error('the reply is no LDAP')
  const header = readHeader(bytes, 0)
  return header && header.start + header.length
}

/**
 * Reads a whole message. It is read here and not by the library, which trusts the lengths in it: a wrong one makes it
 * read for ever.
 * @throws Error when it is no LDAP
 */
function readReply(message: Buffer): Reply {
  const [outer] = elementsOf(message)
  const [id, operation] = elementsOf(expect(outer, tags.sequence))
  const about = { id: readNumber(id, tags.integer) }
  if (!operation) throw new Error('the reply is no LDAP')
  if (operation.tag === operations.reference) return { ...about, kind: 'reference' }
  if (operation.tag === operations.entry) return { ...about, kind: 'entry', entry: readEntry(operation.value) }
  const [code, , text] = elementsOf(operation.value)
  return {
    ...about,
    kind: 'end',
    operation: operation.tag,
    code: readNumber(code, tags.enumerated),
    text: expect(text, tags.octets).toString('utf8'),
  }
}

function readEntry(value: Buffer): Entry {
  const [dn, list] = elementsOf(value)
  const attributes = elementsOf(expect(list, tags.sequence)).map((attribute) => {
    const [name, values] = elementsOf(expect(attribute, tags.sequence))
    const texts = elementsOf(expect(values, tags.set)).map((one) => expect(one, tags.octets))
    return [expect(name, tags.octets).toString('utf8').toLowerCase(), texts] as const
  })
  return { dn: expect(dn, tags.octets).toString('utf8'), attributes: new Map(attributes) }
}

function readNumber(element: Element | undefined, tag: number): number {
  const value = expect(element, tag)
  if (value.length < 1 || value.length > 4) throw new Error('the reply is no LDAP')
  return value.readIntBE(0, value.length)
}

function expect(element: Element | undefined, tag: number): Buffer {
  if (element?.tag !== tag) throw new Error('the reply is no LDAP')
  return element.value
}

/** The elements that bytes consist of, to the last one. */
function elementsOf(bytes: Buffer): Element[] {
  const elements: Element[] = []
  for (let at = 0; at < bytes.length; ) {
    const header = readHeader(bytes, at)
    if (!header || header.start + header.length > bytes.length) throw new Error('the reply is no LDAP')
    const end = header.start + header.length
    elements.push({ tag: bytes[at] ?? 0, value: bytes.subarray(header.start, end) })
    at = end
  }
  return elements
}

/** Where the value of an element begins, and its length; `undefined` when the bytes end before that is said. */
function readHeader(bytes: Buffer, at: number): { start: number; length: number } | undefined {
  const first = bytes[at + 1]
  if (first === undefined) return undefined
  if (first < 0x80) return { start: at + 2, length: first }
  const size = first & 0x7f
  // Without a length of its own, or with one of more than 4 GiB: LDAP has neither.
  if (size === 0 || size > 4) throw new Error('the reply is no LDAP')
  const start = at + 2 + size
  return start > bytes.length ? undefined : { start, length: bytes.readUIntBE(at + 2, size) }
}
