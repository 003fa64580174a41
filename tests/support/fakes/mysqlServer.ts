import { constants, createHash, generateKeyPairSync, privateDecrypt } from 'node:crypto'
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { selfSigned } from '../server/certificates/selfSigned.ts'
import { startRawServer } from './rawServer.ts'

const nonce = Buffer.from('abcdefgh0123456789xy')

/** A packet of MySQL. */
function packet(sequence: number, body: Buffer): Buffer {
  const head = Buffer.alloc(4)
  head.writeUIntLE(body.length, 0, 3)
  head[3] = sequence
  return Buffer.concat([head, body])
}

const mysqlGreeting = (plugin: string) =>
  Buffer.concat([
    Buffer.from('\x0a9.1.0\0\x07\0\0\0'),
    nonce.subarray(0, 8),
    Buffer.from([0, 0xff, 0xff, 45, 2, 0, 0xff, 0xdf, 21]),
    Buffer.alloc(10),
    nonce.subarray(8),
    Buffer.from(`\0${plugin}\0`),
  ])

const hash = (...parts: Buffer[]) => createHash('sha256').update(Buffer.concat(parts)).digest()
const xor = (one: Buffer, other: Buffer) =>
  Buffer.from(one.map((byte, index) => byte ^ (other[index % other.length] ?? 0)))
const okPacket = Buffer.from([0, 0, 0, 2, 0, 0, 0])
const keys = generateKeyPairSync('rsa', { modulusLength: 2048 })

/**
 * A MySQL server that follows its protocol as far as a check goes: TLS, and `caching_sha2_password` with the password
 * `mysql-secret`, which it remembers or not. It begins with another way to sign in, to switch to that one.
 * @returns its address
 */
export async function startMysql({ isRemembered = false } = {}): Promise<string> {
  const password = Buffer.from('mysql-secret')
  const { port } = await startRawServer((plain) => {
    let socket: Socket = plain
    let isSecure = false
    let step: 'login' | 'proof' | 'whole' | 'query' = 'login'
    let waiting: Buffer = Buffer.alloc(0)
    const say = (sequence: number, ...bodies: Buffer[]) =>
      socket.write(Buffer.concat(bodies.map((body, index) => packet(sequence + index, body))))
    const refuse = (sequence: number) =>
      say(sequence, Buffer.concat([Buffer.from([0xff, 0x15, 0x04]), Buffer.from('#28000Access denied')]))
    const listen = () => {
      socket.on('data', (bytes: Buffer) => {
        waiting = Buffer.concat([waiting, bytes])
        while (waiting.length >= 4 && waiting.length >= 4 + waiting.readUIntLE(0, 3)) {
          const length = 4 + waiting.readUIntLE(0, 3)
          const [sequence = 0, body] = [waiting[3], waiting.subarray(4, length)]
          waiting = waiting.subarray(length)
          answer(sequence + 1, body)
        }
      })
      socket.on('error', () => {})
    }
    const answer = (sequence: number, body: Buffer) => {
      switch (step) {
        case 'login': {
          if (body.length === 32) {
            // What came right behind it begins TLS.
            plain.removeAllListeners('data').pause().unshift(waiting)
            waiting = Buffer.alloc(0)
            socket = new TLSSocket(plain, { isServer: true, ...selfSigned })
            isSecure = true
            listen()
            return
          }
          step = 'proof'
          return say(
            sequence,
            Buffer.concat([Buffer.from('\xfecaching_sha2_password\0', 'latin1'), nonce, Buffer.from([0])]),
          )
        }
        case 'proof': {
          const expected = xor(hash(password), hash(hash(hash(password)), nonce))
          if (!body.equals(expected)) return refuse(sequence)
          step = isRemembered ? 'query' : 'whole'
          return isRemembered ? say(sequence, Buffer.from([1, 3]), okPacket) : say(sequence, Buffer.from([1, 4]))
        }
        case 'whole': {
          if (body.equals(Buffer.from([2]))) {
            const pem = keys.publicKey.export({ type: 'spki', format: 'pem' })
            return say(sequence, Buffer.concat([Buffer.from([1]), Buffer.from(pem)]))
          }
          const { RSA_PKCS1_OAEP_PADDING: padding } = constants
          const whole = isSecure ? body : xor(privateDecrypt({ key: keys.privateKey, padding }, body), nonce)
          if (whole.toString() !== 'mysql-secret\0') return refuse(sequence)
          step = 'query'
          return say(sequence, okPacket)
        }
        default: {
          const column = Buffer.from('\x03def\0\0\0\x03one\0\x0c\x2d\0\0\0\0\0\xfd\0\0\0\0\0', 'latin1')
          const end = Buffer.from([0xfe, 0, 0, 2, 0])
          const rows = String(body).includes('nothing') ? [] : [Buffer.from('\x05first\xfb', 'latin1')]
          if (body[0] === 3) say(sequence, Buffer.from([2]), column, column, end, ...rows, end)
        }
      }
    }
    listen()
    say(0, mysqlGreeting('mysql_native_password'))
  })
  return `127.0.0.1:${port}`
}
