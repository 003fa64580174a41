import { isIP, type Socket } from 'node:net'
import type { MailUrl } from '../../src/schemas/formats/mailUrl.ts'
import { ApiError } from '../wire/apiCall.ts'
import { openSocket, resolveTarget, type TargetRules } from './dial.ts'
import { failureReason } from './failureReason.ts'
import { untilAborted } from './untilAborted.ts'

export interface OutboundMail {
  url: MailUrl
  /** One line. */
  subject: string
  text: string
  /** Whether the mail server must have a valid certificate. */
  verifyTls: boolean
}

/** What the mail server said last. */
export interface MailReply {
  isSent: boolean
  /** Whether a retry is useless: the server has refused for good, or has sent it to some of the recipients. */
  isFinal: boolean
  /** A code of SMTP: 250 for a mail that was accepted. */
  code: number
  text: string
  /** Whether the receiver asks to be tried later: it has not refused. */
  isThrottled?: boolean
}

export interface MailOptions extends TargetRules {
  /** Milliseconds for everything together, 20,000 by default: mail servers let strangers wait for their greeting. */
  timeoutMs?: number
}

const defaultTimeoutMs = 20_000
/** Bytes of one reply of the mail server. */
const maxReplyBytes = 64 * 1024
/** Characters of a mail's text; the rest of a longer one is left out. */
const maxTextLength = 256 * 1024

/**
 * Sends a mail through the server that a person entered. Nothing is sent without TLS. The rules are those of
 * `guardedRequest`: the name is resolved once, all addresses are checked, and the connection goes to one of them.
 * @throws ApiError when the server cannot be reached or breaks off; TargetNotAllowedError when it may not be called
 */
export async function sendMail(mail: OutboundMail, options: MailOptions): Promise<MailReply> {
  const { allowPrivate, timeoutMs = defaultTimeoutMs } = options
  const { host, port, beginsWithTls, user, password, from, to } = mail.url
  const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(options.signal ? [options.signal] : [])])
  const addresses = await resolveTarget(host, { allowPrivate, signal }, 'mail server')
  // Few servers send mail: the library is loaded with the first one.
  const { createTransport } = await import('nodemailer')
  let socket: Socket | undefined
  const transport = createTransport({
    host,
    port,
    secure: beginsWithTls,
    requireTLS: true,
    ...(user !== '' && { auth: { user, pass: password } }),
    tls: { rejectUnauthorized: mail.verifyTls, ...(isIP(host) === 0 && { servername: host }) },
    getSocket(_options, done) {
      openSocket(addresses, port, signal).then((connection) => {
        socket = connection
        done(null, { connection })
      }, done)
    },
    // The signal comes first, and covers everything.
    connectionTimeout: 2 * timeoutMs,
    greetingTimeout: 2 * timeoutMs,
    socketTimeout: 2 * timeoutMs,
    maxResponseSize: maxReplyBytes,
    socketCloseTimeout: 0,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  try {
    const sending = transport.sendMail({
      from: { name: '', address: from },
      to: to.map((address) => ({ name: '', address })),
      subject: mail.subject,
      text: mail.text.slice(0, maxTextLength),
      // Asks mail servers to send no absence notices back.
      headers: { 'Auto-Submitted': 'auto-generated' },
      xMailer: false,
      signal,
    })
    const { response, rejected } = await untilAborted(sending, signal)
    if (rejected.length === 0) return { isSent: true, isFinal: true, ...readReply(response) }
    const text = `not accepted for ${rejected.join(', ')}`
    return { isSent: false, isFinal: true, code: readReply(response).code, text }
  } catch (cause) {
    const error = cause as MailError
    if (error.response !== undefined && error.responseCode) {
      const reply = readReply(error.response)
      const text = error.command === 'STARTTLS' ? `no TLS is offered (STARTTLS): ${reply.text}` : reply.text
      // A server that does not know the sender lets them wait for minutes (greylisting), as one does that is busy.
      const isFinal = error.responseCode >= 500
      return { isSent: false, isFinal, isThrottled: !isFinal, code: reply.code, text }
    }
    throw mailError(mail.url, error.address ?? addresses[0], error, signal)
  } finally {
    socket?.destroy()
  }
}

type MailError = Error & {
  response?: string
  responseCode?: number
  command?: string
  originalCode?: string
  code?: string
  /** To which no connection was made. */
  address?: string
}

/** By the codes of the library; what the system or TLS says comes first. */
const reasons: Readonly<Record<string, string>> = {
  ECONNECTION: 'the mail server closed the connection',
  ETIMEDOUT: 'the mail server did not answer in time',
  ETLS: 'the TLS handshake failed',
  EPROTOCOL: 'the mail server does not speak SMTP, or too much of it',
  EAUTH: 'the mail server offers no way to sign in that is known here',
}

/** The error of the connection itself, which the library may have wrapped. */
const causeOf = ({ originalCode, code, message }: MailError) => failureReason({ code: originalCode ?? code, message })

/** `250 2.0.0 OK` as its code and the rest; of several lines all texts. */
function readReply(response: string): { code: number; text: string } {
  const lines = response.split('\n').map((line) => line.replace(/^\d{3}[ -]?/, ''))
  return { code: Number(/^\d{3}/.exec(response)?.[0] ?? 0), text: lines.join(' ') }
}

function mailError(url: MailUrl, address: string, error: MailError, signal: AbortSignal): ApiError {
  const target = `${isIP(address) === 6 ? `[${address}]` : address}:${url.port}`
  const reason = signal.aborted
    ? 'the mail server did not answer in time'
    : [error.code, error.originalCode].includes('ECONNREFUSED')
      ? `dial tcp ${target}: connect: connection refused`
      : (reasons[error.originalCode ?? error.code ?? ''] ?? causeOf(error))
  return new ApiError(`${url.beginsWithTls ? 'smtps' : 'smtp'}://${url.host}:${url.port}: ${reason}`)
}
