import { pipeline, type Readable } from 'node:stream'
import { constants, createGzip, createZstdCompress } from 'node:zlib'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { keysOf } from '../../src/schemas/define/values.ts'

/**
 * The replies that are compressed: long, and without secrets (docs/decisions/compression.md). Every other one
 * is sent as it is: whoever sees the length of compressed replies can find out a secret in them if they can also put
 * guesses beside it.
 */
const compressed = [
  /^\/api\/v1\/(server|server-group|server\/\d+\/(metrics|service))$/,
  /^\/api\/v1\/(service|service\/server|service\/\d+\/history)$/,
  /^\/api\/v1\/(wheelhouse\/status|openapi\.json)$/,
  /^\/metrics$/,
]
const compressedTypes = /^(application\/json|application\/openmetrics-text|text\/plain)\b/

/** Bytes below which compressing saves no packet worth the work. */
const minBytes = 2048
/** Replies that are compressed at the same time; others are sent as they are, so that a crowd cannot take the processor. */
const maxAtOnce = 8
const chunkSize = 64 * 1024

/** For a list of 10,000 servers, each takes less time than the list needs on a line of 1 Gbit/s. */
const compressors = {
  zstd: () => createZstdCompress({ chunkSize, params: { [constants.ZSTD_c_compressionLevel]: 2 } }),
  gzip: () => createGzip({ chunkSize, level: 1 }),
}
type Coding = keyof typeof compressors

/** Compresses long replies, those of a server behind a gateway too, on their way to browsers that read it. */
export function registerCompression(app: FastifyInstance): void {
  let count = 0
  app.addHook('onSend', async (request, reply, payload) => {
    if (request.method !== 'GET' || !isCompressed(request.url) || !isPlain(reply)) return payload
    reply.header('vary', withAcceptEncoding(reply.getHeader('vary')))
    const coding = readableCoding(request.headers['accept-encoding'])
    if (!coding || count >= maxAtOnce || isShort(payload)) return payload
    count++
    const compressor = compressors[coding]()
    compressor.once('close', () => count--)
    reply.removeHeader('content-length')
    reply.header('content-encoding', coding)
    if (isStream(payload)) {
      // An end before its time ends the reply in the same way: it must not look complete.
      pipeline(payload, compressor, () => {})
    } else compressor.end(payload)
    return compressor
  })
}

function isCompressed(url: string): boolean {
  const [path = ''] = url.split('?')
  return compressed.some((pattern) => pattern.test(path))
}

/** Whether it is a whole reply of text that is not compressed yet. */
function isPlain(reply: FastifyReply): boolean {
  const isText = compressedTypes.test(String(reply.getHeader('content-type')))
  const isFinal = /\bno-transform\b/.test(String(reply.getHeader('cache-control')))
  return reply.statusCode === 200 && isText && !isFinal && reply.getHeader('content-encoding') === undefined
}

const isStream = (payload: unknown): payload is Readable =>
  typeof (payload as Readable | undefined)?.pipe === 'function'

/** Whether a reply is short; the length of a stream is not known yet. */
const isShort = (payload: unknown) => !isStream(payload) && Buffer.byteLength((payload ?? '') as string) < minBytes

/** The best coding that a browser reads: `gzip, deflate;q=0.5, zstd;q=0` is gzip. */
function readableCoding(accepted: string | undefined): Coding | undefined {
  const read = new Set(
    (accepted ?? '').split(',').flatMap((entry) => {
      const [name = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase())
      return parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)) ? [] : [name]
    }),
  )
  return keysOf(compressors).find((coding) => read.has(coding))
}

function withAcceptEncoding(vary: number | string | string[] | undefined): string {
  const names = [vary ?? []].flat().map(String)
  return names.some((name) => /\b(accept-encoding|\*)/i.test(name))
    ? names.join(', ')
    : [...names, 'accept-encoding'].join(', ')
}
