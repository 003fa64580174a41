import { createHash, createHmac, pbkdf2Sync } from 'node:crypto'
import {
  type BsonDocument,
  type BsonValue,
  decodeBson,
  encodeBson,
} from '../../../server/services/checks/mongodb/bson.ts'
import { startRawServer } from './rawServer.ts'

const [salt, rounds] = [Buffer.from('salt of the tests'), 4096]

/**
 * A MongoDB server as far as a check goes: `hello`, SCRAM-SHA-256 (RFC 5802) for `watch,=` with `mongodb-secret`, and
 * `find`, which answers with a part of what it was asked; it has nothing in `nothing`.
 */
export async function startMongodb({ isImpostor = false } = {}): Promise<{ port: number }> {
  return startRawServer((socket) => {
    let bare = ''
    let first = ''
    let waiting: Buffer = Buffer.alloc(0)
    const answerTo = (command: BsonDocument): BsonDocument => {
      const payload = Buffer.isBuffer(command.payload) ? command.payload.toString() : ''
      if ('hello' in command) return { ismaster: true, maxWireVersion: 21, ok: 1 }
      if ('saslStart' in command) {
        bare = payload.replace(/^n,,/, '')
        first = `r=${/r=([^,]+)/.exec(bare)?.[1]}server,s=${salt.toString('base64')},i=${rounds}`
        return { conversationId: 1, done: false, payload: Buffer.from(first), ok: 1 }
      }
      if ('saslContinue' in command) {
        const signature = verified(bare, first, payload)
        if (isImpostor) return { conversationId: 1, done: true, payload: Buffer.from('v=AAAA'), ok: 1 }
        if (!signature) return { ok: 0, errmsg: 'Authentication failed.', code: 18 }
        return { conversationId: 1, done: true, payload: Buffer.from(`v=${signature}`), ok: 1 }
      }
      if ('find' in command) return found(command)
      return { ok: 0, errmsg: 'not authorized', code: 13 }
    }
    socket.on('data', (bytes: Buffer) => {
      waiting = Buffer.concat([waiting, bytes])
      if (waiting.length < 16 || waiting.length < waiting.readInt32LE(0)) return
      const body = encodeBson(answerTo(decodeBson(waiting.subarray(21))))
      waiting = Buffer.alloc(0)
      const head = Buffer.alloc(21)
      head.writeInt32LE(21 + body.length, 0)
      head.writeInt32LE(2013, 12)
      socket.write(Buffer.concat([head, body]))
    })
  })
}

function found(command: BsonDocument): BsonDocument {
  const filter: BsonValue | undefined = command.filter
  const count = JSON.stringify(filter)?.match(/\d{10,}/)?.[0]
  const row: BsonDocument = { name: 'backup', $db: command.$db ?? null, ...(count && { count: Number(count) }) }
  return { cursor: { firstBatch: command.find === 'nothing' ? [] : [row], id: 0, ns: 'shop.jobs' }, ok: 1 }
}

const hmac = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest()

/** The server's proof for a client that knows the password. */
function verified(bare: string, first: string, final: string): string | undefined {
  const [, withoutProof = '', proof = ''] = /^(.*),p=(.*)$/.exec(final) ?? []
  const exchanged = `${bare},${first},${withoutProof}`
  const salted = pbkdf2Sync('mongodb-secret', salt, rounds, 32, 'sha256')
  const clientKey = hmac(salted, 'Client Key')
  const signature = hmac(createHash('sha256').update(clientKey).digest(), exchanged)
  const expected = Buffer.from(clientKey.map((byte, index) => byte ^ (signature[index] ?? 0))).toString('base64')
  const isWatch = bare.startsWith('n=watch=2C=3D,')
  return isWatch && proof === expected ? hmac(hmac(salted, 'Server Key'), exchanged).toString('base64') : undefined
}
