import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { onTestFinished } from 'vitest'
import { selfSigned } from '../server/certificates/selfSigned.ts'

/** A mail that the server took. */
export interface ReceivedMail {
  from: string
  to: string[]
  user?: string
  isTls: boolean
  /** Headers by lower-case name, and the text as it was written. */
  headers: Record<string, string>
  text: string
  raw: string
}

export const mailUser = { user: 'ops@example.org', password: 'p@ss/word: "1"' } as const

/**
 * A mail server on this machine with a certificate that nobody trusts; it takes mail of `mailUser` only, and records it.
 * It closes after the test.
 */
export async function mailServer({ secure = true, ...options }: SMTPServerOptions = {}) {
  const mails: ReceivedMail[] = []
  const server = new SMTPServer({
    ...selfSigned,
    secure,
    logger: false,
    onAuth({ username, password }, _session, done) {
      if (username === mailUser.user && password === mailUser.password) return done(null, { user: username })
      done(Object.assign(new Error('5.7.8 Wrong user or password'), { responseCode: 535 }))
    },
    onData(stream, session, done) {
      let raw = ''
      stream.setEncoding('latin1')
      stream.on('data', (part: string) => {
        raw += part
      })
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        mails.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          user: session.user,
          isTls: session.secure,
          ...readMail(raw),
          raw,
        })
        done()
      })
    },
    ...options,
  })
  server.on('error', () => {})
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => new Promise<void>((closed) => server.close(() => closed())))
  const { port } = server.server.address() as AddressInfo
  const login = `${encodeURIComponent(mailUser.user)}:${encodeURIComponent(mailUser.password)}`
  return {
    mails,
    port,
    /** The address of a notifier; `to` is one recipient unless it says otherwise. */
    url: (query = 'to=oncall@example.org') => `${secure ? 'smtps' : 'smtp'}://${login}@127.0.0.1:${port}/?${query}`,
  }
}

function readMail(raw: string): Pick<ReceivedMail, 'headers' | 'text'> {
  const end = raw.indexOf('\r\n\r\n')
  const lines = raw
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), decodeWords(line.slice(colon + 1).trim())]
    }),
  )
  return { headers, text: decodeBody(raw.slice(end + 4), headers['content-transfer-encoding'] ?? '') }
}

/** Words of RFC 2047: `=?UTF-8?Q?caf=C3=A9?=`. */
const decodeWords = (text: string) =>
  text
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_, encoding: string, part: string) =>
      encoding.toLowerCase() === 'b'
        ? Buffer.from(part, 'base64').toString('latin1')
        : quotedPrintable(part.replaceAll('_', ' ')),
    )
    .replace(/^[\s\S]*$/, (bytes) => Buffer.from(bytes, 'latin1').toString('utf8'))

const quotedPrintable = (text: string) =>
  text
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))

function decodeBody(body: string, encoding: string): string {
  const bytes =
    encoding === 'base64'
      ? Buffer.from(body, 'base64')
      : Buffer.from(encoding === 'quoted-printable' ? quotedPrintable(body) : body, 'latin1')
  return bytes.toString('utf8').replaceAll('\r\n', '\n').trimEnd()
}
