import { connect, type Socket } from 'node:net'
import { pathOf, type Rpc, rpcs } from '../../tests/support/agent/agentMessages.ts'
import {
  clientStart,
  flags,
  frame,
  frameTypes,
  headerBlock,
  messageFrame,
} from '../../tests/support/agent/http2Frames.ts'
import { readScene, sceneNames } from '../../tests/support/agent/recordings.ts'
import type { Random } from '../seed/random.ts'

export interface BrokenAgents {
  port: number
  /** A secret that is good, so that some messages are read. */
  secret: string
  random: Random
}

/** So few machines send all broken messages: each new one would be a row. */
const uuids = ['ffffffff-0000-4000-8000-000000000001', 'ffffffff-0000-4000-8000-000000000002']

/** What real agents sent, to be broken. */
const recordedMessages = sceneNames
  .filter((name) => name !== 'simulated-notices')
  .flatMap((name) => readScene(name).events.flatMap(({ dir, raw }) => (dir === 'up' && raw ? raw : [])))
  .map((raw) => Buffer.from(raw, 'base64'))

/** Connects, sends something broken, and leaves. @returns what was sent, for the report of a fault */
export async function sendBroken({ port, secret, random }: BrokenAgents): Promise<string> {
  const [kind, make] = pick(random, kinds)
  // Each from an address of its own: those with a wrong secret are blocked.
  const localAddress = `127.${1 + random.whole(250)}.${random.whole(250)}.${1 + random.whole(250)}`
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()))
  socket.on('error', () => {})
  socket.resume()
  const parts = make(random, secret)
  for (const part of parts) {
    if (!socket.destroyed) socket.write(part)
    // In pieces now and then, as on a bad line.
    if (chance(random, 0.3)) await new Promise((resolve) => setTimeout(resolve, 2))
  }
  await leave(socket, random)
  await closed
  return kind
}

/** Some end, some are cut, and the server has a moment to answer. */
async function leave(socket: Socket, random: Random): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, random.whole(8)))
  if (chance(random, 0.5)) socket.end()
  setTimeout(() => socket.destroy(), random.whole(20))
}

type Make = (random: Random, secret: string) => Buffer[]

const kinds: readonly (readonly [string, Make])[] = [
  ['bytes without meaning', (random) => [bytes(random, 200)]],
  ['the beginning of HTTP/2 and bytes without meaning', (random) => [clientStart, bytes(random, 400)]],
  ['frames without meaning', (random) => [clientStart, ...several(random, () => anyFrame(random))]],
  [
    'headers without meaning',
    (random) => [clientStart, frame(frameTypes.headers, random.whole(64), 1, bytes(random, 100))],
  ],
  ['a call with a broken message', (random, secret) => [...opened(random, secret), brokenMessage(random)]],
  [
    'a call with several broken messages',
    (random, secret) => [...opened(random, secret), ...several(random, () => brokenMessage(random))],
  ],
  [
    'a call with a changed message of a real agent',
    (random, secret) => [...opened(random, secret), ...several(random, () => changedMessage(random))],
  ],
  [
    'a call and frames without meaning',
    (random, secret) => [...opened(random, secret), ...several(random, () => anyFrame(random))],
  ],
  [
    'many calls at once',
    (random, secret) => [clientStart, ...several(random, (at) => open(random, secret, 2 * at + 1))],
  ],
]

function opened(random: Random, secret: string): Buffer[] {
  return [clientStart, frame(frameTypes.settings, flags.ack, 0, Buffer.alloc(0)), open(random, secret, 1)]
}

/** Headers of a call: mostly good ones. */
function open(random: Random, secret: string, stream: number): Buffer {
  const isGood = chance(random, 0.8)
  const path = chance(random, 0.9)
    ? pathOf(pick(random, Object.keys(rpcs) as Rpc[]))
    : `/proto.NezhaService/${text(random)}`
  const headers = {
    ':method': chance(random, 0.95) ? 'POST' : 'GET',
    ':scheme': 'http',
    ':path': path,
    ':authority': '127.0.0.1',
    'content-type': chance(random, 0.95) ? 'application/grpc' : text(random),
    te: 'trailers',
    'client-secret': isGood ? secret : text(random),
    'client-uuid': chance(random, 0.95) ? pick(random, uuids) : text(random),
  }
  return frame(frameTypes.headers, flags.endHeaders, stream, headerBlock(headers))
}

/** A message whose length, mark or content is wrong. */
function brokenMessage(random: Random): Buffer {
  const content = bytes(random, 300)
  const head = Buffer.alloc(5)
  head[0] = chance(random, 0.8) ? 0 : random.whole(256)
  const lengths = [content.length, 0, content.length + random.whole(1000), 0xffffffff, 16 * 1024 * 1024]
  head.writeUInt32BE(pick(random, lengths), 1)
  const flag = chance(random, 0.3) ? flags.endStream : 0
  return frame(frameTypes.data, flag, 1, Buffer.concat([head, content]))
}

/** A real message with some bytes changed, cut off or doubled. */
function changedMessage(random: Random): Buffer {
  const content = Buffer.from(pick(random, recordedMessages))
  for (let count = random.whole(4); count > 0 && content.length > 0; count--) {
    content[random.whole(content.length)] = random.whole(256)
  }
  const cut = chance(random, 0.3) ? content.subarray(0, random.whole(content.length + 1)) : content
  return messageFrame(
    1,
    chance(random, 0.1) ? Buffer.concat([cut, cut]) : cut,
    chance(random, 0.2) ? flags.endStream : 0,
  )
}

const anyFrame = (random: Random) =>
  frame(
    random.whole(12),
    random.whole(256),
    chance(random, 0.7) ? random.whole(6) : random.whole(2 ** 31),
    bytes(random, 60),
  )

const several = <T>(random: Random, make: (at: number) => T): T[] =>
  Array.from({ length: 1 + random.whole(6) }, (_, at) => make(at))

const bytes = (random: Random, most: number) =>
  Buffer.from(Array.from({ length: random.whole(most) }, () => random.whole(256)))

/** Of at most a hundred letters. */
const text = (random: Random) => bytes(random, 50).toString('hex')

const chance = (random: Random, share: number) => random.whole(1000) < share * 1000

const pick = <T>(random: Random, list: readonly T[]): T => list[random.whole(list.length)] as T
