import type { starttlsProtocols } from '../../../../src/schemas/checks/tls.ts'
import { type Conversation, smtpReply } from '../parts/connection.ts'
import { CheckFailure } from '../parts/runner.ts'

type Protocol = Exclude<(typeof starttlsProtocols)[number], ''>

/**
 * Says what each protocol says before TLS begins.
 * @throws CheckFailure when the other side does not offer TLS
 */
export const starttls: Readonly<Record<Protocol, (talk: Conversation) => Promise<void>>> = {
  async smtp(talk) {
    expect(await smtpReply(talk), /^220/)
    talk.write('EHLO wheelhouse.invalid\r\n')
    expect(await smtpReply(talk), /^250/)
    talk.write('STARTTLS\r\n')
    expect(await smtpReply(talk), /^220/)
  },
  async imap(talk) {
    expect(await talk.line(), /^\* (OK|PREAUTH)/i)
    talk.write('a1 STARTTLS\r\n')
    const lines = await talk.lines((line) => !line.startsWith('*'))
    expect(lines.at(-1) ?? '', /^a1 OK/i)
  },
  async pop3(talk) {
    expect(await talk.line(), /^\+OK/i)
    talk.write('STLS\r\n')
    expect(await talk.line(), /^\+OK/i)
  },
  async ftp(talk) {
    expect(await smtpReply(talk), /^220/)
    talk.write('AUTH TLS\r\n')
    expect(await smtpReply(talk), /^234/)
  },
  async postgres(talk) {
    talk.write(Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]))
    const answer = await talk.bytes(1)
    if (answer[0] !== 0x53) throw new CheckFailure('no_starttls', { said: answer.toString('latin1') })
  },
  async ldap(talk) {
    // An extended request with the OID of StartTLS (RFC 4511, 4.14).
    const oid = Buffer.from('1.3.6.1.4.1.1466.20037')
    const operation = Buffer.from([0x77, oid.length + 2, 0x80, oid.length, ...oid])
    talk.write(Buffer.from([0x30, operation.length + 3, 0x02, 0x01, 0x01, ...operation]))
    const answer = await talk.read(berLength)
    // The first code in the answer is its result; 0 is success.
    const at = answer.indexOf(Buffer.from([0x0a, 0x01]))
    if (at < 0 || answer[at + 2] !== 0) throw new CheckFailure('no_starttls', { said: `LDAP ${answer[at + 2] ?? ''}` })
  },
}

function expect(line: string, pattern: RegExp): void {
  if (!pattern.test(line)) throw new CheckFailure('no_starttls', { said: line.slice(0, 200) }, { answer: line })
}

/** How many bytes a BER value has in all; `undefined` until its head has come. */
function berLength(bytes: Buffer): number | undefined {
  const [, first] = bytes
  if (first === undefined) return undefined
  const extra = first & 0x80 ? first & 0x7f : 0
  if (extra > 4) throw new CheckFailure('no_starttls', { said: 'LDAP' })
  if (bytes.length < 2 + extra) return undefined
  const length = extra ? bytes.readUIntBE(2, extra) : first
  return bytes.length >= 2 + extra + length ? 2 + extra + length : undefined
}
