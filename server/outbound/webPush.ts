import { createCipheriv, createECDH, createPrivateKey, hkdfSync, randomBytes, sign } from 'node:crypto'
import type { PushDevice } from '../../src/schemas/formats/pushUrl.ts'
import type { Store } from '../db/store.ts'
import { ApiError } from '../wire/apiCall.ts'
import type { OutboundRequest } from './sendRequest.ts'

/** The key by which push services know this server: a device takes messages of nobody else. */
export interface PushKeys {
  /** An uncompressed point on P-256, in base64url: devices are given it. */
  publicKey(): string
  /**
   * What proves to a push service who sends, as the header `Authorization` (RFC 8292).
   * @param origin of the push service
   */
  authorization(origin: string): string
}

export interface PushMessage {
  /** What only the device can read; at most `maxPayload` bytes. */
  payload: string
  /** Seconds for which the push service keeps it while the device is away. */
  ttl: number
  /** A message that waits is replaced by a later one with the same topic: up to 32 characters of base64url. */
  topic?: string
}

/** Bytes of the header, of the end mark and of the tag of a message. */
const overhead = 86 + 1 + 16
/** Bytes: more need not be taken by a push service (RFC 8030), and all is one record. */
const recordSize = 4096
export const maxPayload = recordSize - overhead

const curve = 'prime256v1'
/** Milliseconds; a day is the most that push services accept. */
const tokenLifetimeMs = 12 * 3_600_000

/**
 * The key of this server, generated at its first use and stored. With another one all devices would have to be set up
 * again: it is in backups, and in nothing else that leaves this server.
 * @param contact an address by which the operator of a push service reaches that of this server
 * @param now milliseconds since 1970
 */
export function pushKeysIn(store: Pick<Store, 'value' | 'setValue'>, contact: string, now: () => number): PushKeys {
  const name = 'push_key'

  function keyPair() {
    const pair = createECDH(curve)
    const stored = store.value<string>(name)
    if (stored) pair.setPrivateKey(stored, 'base64')
    else {
      pair.generateKeys()
      store.setValue(name, pair.getPrivateKey('base64'))
    }
    return pair
  }

  return {
    publicKey: () => keyPair().getPublicKey('base64url'),
    authorization(origin) {
      const pair = keyPair()
      const exp = Math.floor((now() + tokenLifetimeMs) / 1000)
      const [head, claims] = [
        { typ: 'JWT', alg: 'ES256' },
        { aud: origin, exp, sub: contact },
      ].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      const point = pair.getPublicKey()
      const key = createPrivateKey({
        format: 'jwk',
        key: {
          kty: 'EC',
          crv: 'P-256',
          d: pair.getPrivateKey('base64url'),
          x: point.subarray(1, 33).toString('base64url'),
          y: point.subarray(33).toString('base64url'),
        },
      })
      const signature = sign('sha256', Buffer.from(`${head}.${claims}`), { key, dsaEncoding: 'ieee-p1363' })
      return `vapid t=${head}.${claims}.${signature.toString('base64url')}, k=${point.toString('base64url')}`
    },
  }
}

/** The request by which a push service gets a message for a device. @throws ApiError when the keys are no keys */
export function pushRequest(
  device: PushDevice,
  { payload, ttl, topic }: PushMessage,
  { keys, verifyTls }: { keys: PushKeys; verifyTls: boolean },
): OutboundRequest {
  const body = encryptFor(device, Buffer.from(payload))
  const { origin } = new URL(device.endpoint)
  return {
    method: 'POST',
    url: device.endpoint,
    body,
    verifyTls,
    headers: () => ({
      authorization: keys.authorization(origin),
      'content-encoding': 'aes128gcm',
      'content-type': 'application/octet-stream',
      ttl: String(ttl),
      urgency: 'high',
      ...(topic && { topic }),
    }),
  }
}

/**
 * Encrypts a message so that only the device can read it (RFC 8291, and RFC 8188 for the form).
 * @param once what is random in each message; given by the test with the values of the RFC
 * @throws ApiError when the device's key is no point on the curve, or the message is too long
 */
export function encryptFor(
  { p256dh, auth }: Pick<PushDevice, 'p256dh' | 'auth'>,
  message: Uint8Array,
  once: { salt: Uint8Array; privateKey?: Uint8Array } = { salt: randomBytes(16) },
): Uint8Array {
  if (message.length > maxPayload) throw new ApiError(`the message is longer than ${maxPayload} bytes`)
  const pair = createECDH(curve)
  if (once.privateKey) pair.setPrivateKey(once.privateKey)
  else pair.generateKeys()
  const sender = pair.getPublicKey()
  const receiver = Buffer.from(p256dh, 'base64url')
  const secret = sharedSecret(pair, receiver)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), receiver, sender])
  const material = Buffer.from(hkdfSync('sha256', secret, Buffer.from(auth, 'base64url'), info, 32))
  const derive = (label: string, length: number) =>
    Buffer.from(hkdfSync('sha256', material, once.salt, `Content-Encoding: ${label}\0`, length))
  const cipher = createCipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12))
  const size = Buffer.alloc(4)
  size.writeUInt32BE(recordSize)
  // The only record, which is the last one too, ends with 2.
  const text = Buffer.concat([cipher.update(message), cipher.update(Buffer.of(2)), cipher.final(), cipher.getAuthTag()])
  return Buffer.concat([once.salt, size, Buffer.of(sender.length), sender, text])
}

function sharedSecret(pair: ReturnType<typeof createECDH>, receiver: Uint8Array): Uint8Array {
  try {
    return pair.computeSecret(receiver)
  } catch {
    throw new ApiError('p256dh is not the public key of a device')
  }
}
