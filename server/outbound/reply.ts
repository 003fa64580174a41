import { type IncomingHttpHeaders, STATUS_CODES } from 'node:http'
import type { Readable, Transform } from 'node:stream'
import { createBrotliDecompress, createUnzip, createZstdDecompress } from 'node:zlib'
import { fieldsIn } from '../../src/schemas/define/values.ts'
import { jsonObject } from '../wire/jsonObject.ts'
import type { PeerCertificate } from './openTls.ts'

/** A reply whose headers have arrived, over HTTP/1 or HTTP/2; its stream is the body. */
export type IncomingReply = Readable & {
  statusCode?: number
  statusMessage?: string
  headers: IncomingHttpHeaders
}

/** The reply to an outbound request. */
export interface Reply {
  code: number
  /** '404 Not Found' */
  text: string
  headers: IncomingHttpHeaders
  /** The beginning of the body, as far as it was requested and arrived in time; else ''. */
  body: string
  /** The header `Retry-After`, as it was sent. */
  retryAfter?: string
  /** When a connection used TLS: of all hosts that were asked, the certificate that expires first. */
  certificate?: PeerCertificate
}

/**
 * Reads up to `maxBodyBytes` of the body and closes the connection. An incomplete body is no error.
 * @param signal ends the reading; what has arrived until then counts
 */
export async function readReply(message: IncomingReply, maxBodyBytes: number, signal: AbortSignal): Promise<Reply> {
  message.on('error', () => {}) // The rest of the body is cut off here.
  const cutOff = () => void message.destroy()
  signal.addEventListener('abort', cutOff, { once: true })
  // After a switch of protocols the bytes are no body, and they have no end.
  const hasBody = message.statusCode !== 101 && !signal.aborted
  const body = hasBody && maxBodyBytes > 0 ? await readBodyStart(message, maxBodyBytes) : ''
  signal.removeEventListener('abort', cutOff)
  message.destroy()
  const { 'retry-after': retryAfter } = message.headers
  return {
    code: message.statusCode ?? 0,
    text: `${message.statusCode} ${reasonPhrase(message)}`.trim(),
    headers: message.headers,
    body,
    ...(retryAfter !== undefined && { retryAfter }),
  }
}

async function readBodyStart(message: IncomingReply, maxBodyBytes: number): Promise<string> {
  const parts: Buffer[] = []
  let bytes = 0
  try {
    for await (const part of decompressed(message) as AsyncIterable<Buffer>) {
      parts.push(part)
      bytes += part.length
      if (bytes >= maxBodyBytes) break
    }
  } catch {
    // Timeout or broken connection: the status and the part that arrived are still valid.
  }
  return decodeBody(Buffer.concat(parts).subarray(0, maxBodyBytes), message.headers['content-type'] ?? '')
}

const decompressors: Readonly<Record<string, (() => Transform) | undefined>> = {
  gzip: createUnzip,
  'x-gzip': createUnzip,
  deflate: createUnzip,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
}

/** The body as it was before it was compressed; one that is compressed in an unknown way stays as it is. */
function decompressed(message: IncomingReply): Readable {
  const decompressor = decompressors[message.headers['content-encoding']?.trim().toLowerCase() ?? '']?.()
  if (!decompressor) return message
  // What was read until the connection broke is still a body.
  message.once('error', () => decompressor.end())
  message.once('close', () => decompressor.end())
  return message.pipe(decompressor)
}

/** In the encoding that the reply names; a character that is cut off at the end is left out. */
function decodeBody(bytes: Uint8Array, contentType: string): string {
  const [, charset = 'utf-8'] = /charset\s*=\s*"?([^\s";]+)/i.exec(contentType) ?? []
  try {
    return new TextDecoder(charset).decode(bytes, { stream: true })
  } catch {
    return new TextDecoder().decode(bytes, { stream: true })
  }
}

/** Names are for people: one in another encoding than UTF-8, or with control characters, is replaced by the usual one. */
function reasonPhrase({ statusCode = 0, statusMessage = '' }: IncomingReply): string {
  const phrase = headerText(statusMessage)
  return phrase && !/[\p{Cc}\x80-\xff]/u.test(phrase) ? phrase : (STATUS_CODES[statusCode] ?? '')
}

/** Node reads the bytes of headers as Latin-1; where they are UTF-8, that is what the sender meant, as browsers do. */
export function headerText(text: string): string {
  if (!/[\x80-\xff]/.test(text)) return text
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(text, 'latin1'))
  } catch {
    return text
  }
}

/** Milliseconds: a receiver that asks for more is called again after this time. */
export const longestRetryAfterMs = 3_600_000

/** Statuses with which a receiver says that it is called too often, or not able to answer now. */
const busyStatuses: readonly number[] = [429, 503]

/**
 * How long a receiver asks to be left alone, in milliseconds: by the header `Retry-After`, in seconds or as a date, or by
 * `retry_after` in its JSON, in seconds, which Telegram has in `parameters`.
 * @param now milliseconds since 1970
 * @returns `undefined` for other statuses, and where it says nothing that can be read
 */
export function retryAfterMs({ code, retryAfter, body }: Pick<Reply, 'code' | 'retryAfter' | 'body'>, now: number) {
  if (!busyStatuses.includes(code)) return undefined
  const asked = headerMs(retryAfter, now) ?? bodyMs(body)
  return asked === undefined ? undefined : Math.min(Math.max(asked, 0), longestRetryAfterMs)
}

function headerMs(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? ''
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000
  // As RFC 9110 has dates: with a name of the month. Numbers of any other kind are not taken for years.
  const date = /[a-z]{3}/i.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? undefined : date - now
}

function bodyMs(body: string): number | undefined {
  if (!body.includes('retry_after')) return undefined
  const value = jsonObject(body)
  const seconds = value?.retry_after ?? fieldsIn(value?.parameters).retry_after
  return typeof seconds === 'number' && Number.isFinite(seconds) ? seconds * 1000 : undefined
}
