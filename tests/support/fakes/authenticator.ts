import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** What a made-up device claims; the defaults are those of an honest one on our page. */
interface Claims {
  origin?: string
  rpId?: string
  /** Whether the device has checked a PIN or a finger. */
  userVerified?: boolean
  counter?: number
}

/** A passkey device in software: makes one key, and signs with it. */
export interface Authenticator {
  /** The reply to the options of a new passkey. */
  create(options: { challenge: string }, claims?: Claims): Record<string, unknown>
  /** The reply to the options of a use. */
  use(options: { challenge: string }, claims?: Claims): Record<string, unknown>
}

const base64url = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64url')
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest()

/** @param origin of the page on which it is used */
export function createAuthenticator(origin: string): Authenticator {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(16)
  let uses = 0

  const clientData = (type: string, challenge: string, claims: Claims) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: claims.origin ?? origin, crossOrigin: false }))

  function authenticatorData(claims: Claims, attested = Buffer.alloc(0)): Buffer {
    const { rpId = new URL(origin).hostname, userVerified = true, counter = ++uses } = claims
    const flags = 0x01 | (userVerified ? 0x04 : 0) | (attested.length > 0 ? 0x40 : 0)
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count, attested])
  }

  const reply = (response: Record<string, string>) => ({
    id: base64url(id),
    rawId: base64url(id),
    type: 'public-key',
    clientExtensionResults: {},
    response,
  })

  return {
    create({ challenge }, claims = {}) {
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
      const point = [x, y].map((part) => Buffer.from(part, 'base64url')) as [Buffer, Buffer]
      // COSE: key type EC2, algorithm ES256, curve P-256.
      const key = cborMap([
        [1, 2] as const,
        [3, -7] as const,
        [-1, 1] as const,
        [-2, point[0]] as const,
        [-3, point[1]] as const,
      ])
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, key])
      return reply({
        clientDataJSON: base64url(clientData('webauthn.create', challenge, claims)),
        attestationObject: base64url(
          cborMap([
            ['fmt', 'none'],
            ['attStmt', {}],
            ['authData', authenticatorData(claims, attested)],
          ]),
        ),
      })
    },
    use({ challenge }, claims = {}) {
      const data = authenticatorData(claims)
      const client = clientData('webauthn.get', challenge, claims)
      return reply({
        clientDataJSON: base64url(client),
        authenticatorData: base64url(data),
        signature: base64url(sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)),
      })
    },
  }
}

type Cbor = number | string | Buffer | Record<string, never>

/** As much of CBOR (RFC 8949) as a passkey needs. */
function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  return head(5, 0)
}

const cborMap = (entries: readonly (readonly [number | string, Cbor])[]): Buffer =>
  Buffer.concat([head(5, entries.length), ...entries.flatMap(([key, value]) => [cbor(key), cbor(value)])])

function head(type: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(type << 5) | length])
  if (length < 256) return Buffer.from([(type << 5) | 24, length])
  return Buffer.from([(type << 5) | 25, length >> 8, length & 0xff])
}
