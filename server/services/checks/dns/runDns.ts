import { randomInt } from 'node:crypto'
import { getServers } from 'node:dns'
import { isIP } from 'node:net'
import { type Answer, type DecodedPacket, decode, encode, RECURSION_DESIRED } from 'dns-packet'
import type { CheckOf } from '../../../../src/schemas/checks/checks.ts'
import type { CheckRule } from '../../../../src/schemas/endpoints/checkEndpoints.ts'
import { parseTarget } from '../../../machines/hosts/host.ts'
import { converse, openConnection } from '../parts/connection.ts'
import { CheckFailure, type RunContext, type Runner } from '../parts/runner.ts'

type DnsCheck = CheckOf<'dns'>

/** Asks a name server for a name: by datagrams where the machine can send them, else over TCP. */
export const runDns: Runner<'dns'> = async (check, target, context) => {
  const id = randomInt(65_536)
  const name = check.record === 'PTR' && isIP(target) ? reverseName(target) : target.replace(/\.$/, '')
  const query = encode({
    type: 'query',
    id,
    flags: RECURSION_DESIRED,
    questions: [{ type: check.record, name }],
  })
  const resolver = check.resolver || usualResolver(context)
  const startedAt = performance.now()
  const packet = await ask(resolver, query, id, context)
  context.phases.first_byte ??= performance.now() - startedAt
  const found = (packet.answers ?? []).filter(({ type }) => type === check.record).map(textsOf)
  const answer = [packet.rcode, ...found.map(([text]) => text)].join('\n')
  if (packet.rcode !== 'NOERROR') throw new CheckFailure('dns_code', { said: packet.rcode }, { answer })
  if (found.length === 0) throw new CheckFailure('dns_nothing', { record: check.record }, { answer })
  return { answer, rules: judge(check, found) }
}

function usualResolver({ exchange }: RunContext): string {
  const [server] = getServers()
  // Another machine has name servers of its own, which are not known here.
  if (!exchange || !server) throw new CheckFailure('no_resolver')
  return isIP(server) === 6 ? `[${server}]:53` : isIP(server) ? `${server}:53` : server
}

async function ask(resolver: string, query: Buffer, id: number, context: RunContext): Promise<Packet> {
  const { host, port } = parseTarget(resolver)
  if (context.exchange) {
    const answer = read(
      await context.exchange(host, port, query, (bytes) => bytes.length > 12 && bytes.readUInt16BE(0) === id),
    )
    // One that is cut off is asked for again, over TCP.
    if (!answer.flag_tc) return answer
  }
  const { stream } = await openConnection(resolver, context)
  try {
    const talk = converse(stream, context.signal)
    const length = Buffer.alloc(2)
    length.writeUInt16BE(query.length)
    talk.write(Buffer.concat([length, query]))
    return read(await talk.bytes((await talk.bytes(2)).readUInt16BE(0)))
  } finally {
    stream.destroy()
  }
}

/** `rcode` and `flag_tc` are there in what is decoded, and not in its types. */
type Packet = DecodedPacket & { rcode: string }

function read(bytes: Buffer): Packet {
  try {
    return decode(bytes) as Packet
  } catch {
    throw new CheckFailure('no_dns')
  }
}

/** The texts by which an answer can be expected: the whole, and its main part. */
function textsOf(answer: Answer): string[] {
  switch (answer.type) {
    case 'MX':
      return [`${answer.data.preference} ${answer.data.exchange}`, answer.data.exchange]
    case 'SRV': {
      const { priority = 0, weight = 0, port, target } = answer.data
      return [`${priority} ${weight} ${port} ${target}`, target]
    }
    case 'CAA': {
      const { flags = 0, tag, value } = answer.data
      return [`${flags} ${tag} "${value}"`, value]
    }
    case 'SOA': {
      const { mname, rname, serial, refresh, retry, expire, minimum } = answer.data
      return [`${mname} ${rname} ${serial} ${refresh} ${retry} ${expire} ${minimum}`, mname]
    }
    case 'TXT': {
      const { data } = answer
      return [Array.isArray(data) ? Buffer.concat(data.map((part) => Buffer.from(part))).toString() : String(data)]
    }
    default:
      return ['data' in answer ? String(answer.data) : '']
  }
}

const plain = (text: string) => text.trim().toLowerCase().replace(/\.$/, '')

function judge({ expected, match }: DnsCheck, found: readonly string[][]): CheckRule[] {
  const texts = new Set(found.flat().map(plain))
  const shown = found
    .map(([text]) => text)
    .join(', ')
    .slice(0, 200)
  const isThere = (value: string) => texts.has(plain(value))
  if (expected.length === 0) return []
  if (match === 'any')
    return [{ rule: 'expected', ok: expected.some(isThere), expected: expected.join(', '), found: shown }]
  return expected.map((value) => ({ rule: 'expected', ok: isThere(value), expected: value, found: shown }))
}

/** The name under which the name of an address is found. */
function reverseName(address: string): string {
  if (isIP(address) === 4) return `${address.split('.').reverse().join('.')}.in-addr.arpa`
  // The URL parser writes addresses in one form, with the longest row of zeros left out.
  const [, text = ''] = /^\[(.*)\]$/.exec(new URL(`http://[${address}]`).hostname) ?? []
  const [head = '', tail] = text.split('::')
  const groups = (part: string | undefined) => (part ? part.split(':') : [])
  const zeros = Array.from({ length: 8 - groups(head).length - groups(tail).length }, () => '0')
  const all = tail === undefined ? groups(head) : [...groups(head), ...zeros, ...groups(tail)]
  const digits = all.map((group) => group.padStart(4, '0')).join('')
  return `${[...digits].reverse().join('.')}.ip6.arpa`
}
