import { BlockList, isIP } from 'node:net'

/** Addresses and networks that a setting names. */
export interface AddressRanges {
  /** @param address IPv4 or IPv6; an IPv4 address may be written as IPv6 (`::ffff:192.0.2.7`). '' is in no range */
  has(address: string): boolean
}

/** Every request is compared with each of them. */
const maxRanges = 256

/**
 * Reads addresses and networks like `192.0.2.7, 10.0.0.0/8, 2001:db8::/32`.
 * @returns a text, for the operator, that says which entry is wrong when one is
 */
export function readAddressRanges(text: string): AddressRanges | string {
  const entries = text.split(',').flatMap((entry) => entry.trim() || [])
  if (entries.length > maxRanges) return `${entries.length} entries, of which there may be ${maxRanges}`
  const list = new BlockList()
  for (const entry of entries) if (!addRange(list, entry)) return `"${entry}"`
  return {
    has(address) {
      const version = isIP(address)
      return version !== 0 && list.check(address, familyOf(version))
    },
  }
}

const familyOf = (version: number) => (version === 6 ? 'ipv6' : 'ipv4')

/** @returns whether the entry is an address or a network */
function addRange(list: BlockList, entry: string): boolean {
  const [, address = '', length] = /^([\d.a-f:]+)(?:\/(\d{1,3}))?$/i.exec(entry) ?? []
  const version = isIP(address)
  if (version === 0) return false
  if (length === undefined) {
    list.addAddress(address, familyOf(version))
    return true
  }
  const bits = version === 6 ? 128 : 32
  const hostBits = BigInt(bits - Number(length))
  // 10.1.2.3/8 is ambiguous: the address, or the network around it.
  if (hostBits < 0 || bitsOf(address, version) & ((1n << hostBits) - 1n)) return false
  list.addSubnet(address, Number(length), familyOf(version))
  return true
}

/** An address as a number. */
function bitsOf(address: string, version: number): bigint {
  if (version === 4) return joinBits(address.split('.').map(Number), 8n)
  // The rules of URLs for hosts leave no IPv4 notation in it.
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const groups = (part: string) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)))
  const last = tail === undefined ? [] : groups(tail)
  const zeros = Array.from({ length: 8 - groups(head).length - last.length }, () => 0)
  return joinBits([...groups(head), ...zeros, ...last], 16n)
}

const joinBits = (parts: readonly number[], width: bigint) =>
  parts.reduce((sum, part) => (sum << width) | BigInt(part), 0n)
