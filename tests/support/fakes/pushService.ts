import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { PushPayload } from '../../../src/domain/app/pushPayload.ts'
import { selfSigned } from '../server/certificates/selfSigned.ts'

/** A request that a push service got. */
interface PushedMessage {
  url: string
  headers: IncomingHttpHeaders
  body: Buffer
}

/** A device with keys of its own, as a browser makes them. */
export function testDevice(endpoint: string) {
  const keys = createECDH('prime256v1')
  keys.generateKeys()
  const secret = randomBytes(16)
  return {
    subscription: { endpoint, p256dh: keys.getPublicKey('base64url'), auth: secret.toString('base64url') },
    read: (body: Buffer) => JSON.parse(decrypt(body, keys, secret)) as PushPayload,
  }
}

/** Decrypts a message as a browser does: RFC 8291, section 3.4, and RFC 8188, section 2. */
function decrypt(body: Buffer, keys: ReturnType<typeof createECDH>, secret: Buffer): string {
  const salt = body.subarray(0, 16)
  const keyLength = body.readUInt8(20)
  const sender = body.subarray(21, 21 + keyLength)
  const record = body.subarray(21 + keyLength)
  if (body.readUInt32BE(16) < record.length) throw new Error('There is more than one record.')
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), keys.getPublicKey(), sender])
  const material = Buffer.from(hkdfSync('sha256', keys.computeSecret(sender), secret, info, 32))
  const derive = (label: string, length: number) =>
    Buffer.from(hkdfSync('sha256', material, salt, Buffer.from(`Content-Encoding: ${label}\0`), length))
  const cipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12))
  cipher.setAuthTag(record.subarray(-16))
  const text = Buffer.concat([cipher.update(record.subarray(0, -16)), cipher.final()])
  if (text.at(-1) !== 2) throw new Error('The last record does not end as the last one.')
  return text.subarray(0, -1).toString()
}

/** What a message says of its sender, after its signature was verified. @throws Error when that is wrong */
export function readSender({ authorization = '' }: IncomingHttpHeaders) {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization) ?? []
  const [head = '', claims = '', signature = ''] = token.split('.')
  const point = Buffer.from(key, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'))
  const publicKey = createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x, y } })
  const isGenuine = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  if (!isGenuine) throw new Error('The signature is wrong.')
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>
  return { key, head: read(head), claims: read(claims) }
}

/**
 * A push service on this machine, whose certificate (`selfSigned`) has to be trusted.
 * @param answer ends the reply, or leaves it open. Default: 201
 */
export async function createPushService(
  answer: (reply: ServerResponse) => void = (reply) => reply.writeHead(201).end(),
) {
  const messages: PushedMessage[] = []
  const service = {
    origin: '',
    messages,
    answer,
    /** The address of a device, by a name that tells it from others. */
    endpoint: (name = 'phone') => `${service.origin}/send/${name}?of=a%20test`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
  const server = createServer(selfSigned, async (request, reply) => {
    const { url = '', headers } = request
    const body = Buffer.concat(await request.toArray())
    messages.push({ url, headers, body })
    service.answer(reply)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  service.origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
  return service
}
