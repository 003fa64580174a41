import { randomBytes } from 'node:crypto'
import type { CheckOf } from '../../../../src/schemas/checks/checks.ts'
import { type Conversation, openConnection, timedTalk } from '../parts/connection.ts'
import { CheckFailure, type Findings, otherProtocol, type Runner } from '../parts/runner.ts'
import { hasText } from '../parts/textSearch.ts'

/** Connects to a broker by MQTT 3.1.1, and waits for a message where it should. */
export const runMqtt: Runner<'mqtt'> = async (check, target, context) => {
  const startedAt = performance.now()
  const { stream } = await openConnection(target, context, check)
  const talk = timedTalk(stream, context)
  let timer: NodeJS.Timeout | undefined
  try {
    talk.write(connectPacket(check))
    const found = await connected(talk, check)
    if (!check.topic) return found
    talk.write(packet(0x82, Buffer.from([0, 1]), text(check.topic), Buffer.from([0])))
    // How long messages are waited for says nothing of the broker.
    const latency = performance.now() - startedAt
    let isOver = false
    timer = setTimeout(() => {
      isOver = true
      stream.destroy()
    }, check.wait * 1000)
    const messages: string[] = []
    const isFound = await awaitMessage(talk, check.expect, messages).catch((error: unknown) => {
      if (!isOver && !context.signal.aborted) throw error
      return false
    })
    talk.write(packet(0xe0))
    return {
      latency,
      answer: messages.join('\n'),
      rules: [
        { rule: 'topic', ok: messages.length > 0, expected: check.topic },
        ...(check.expect ? [{ rule: 'expect', ok: isFound, expected: check.expect }] : []),
      ],
    }
  } finally {
    clearTimeout(timer)
    stream.destroy()
  }
}

/** Bytes of a packet; packets, and bytes of all of them, in which is looked for what is expected. */
const limits = { packet: 131_072, packets: 2000, bytes: 4 * 1024 * 1024 } as const
/** What is shown of the messages. */
const shown = { messages: 20, characters: 2000 } as const

/** @throws CheckFailure when the broker refuses */
async function connected(talk: Conversation, { user, topic }: CheckOf<'mqtt'>): Promise<Findings> {
  const bytes = await talk.bytes(4)
  if (bytes[0] !== 0x20 || bytes[1] !== 2) throw noMqtt(Buffer.concat([bytes, talk.pending()]))
  const code = bytes[3] ?? 0
  // Without a sign-in, a broker that asks for one answers as what it is.
  if (code === 0 || ((code === 4 || code === 5) && !user && !topic)) return { code, answer: `CONNACK ${code}` }
  throw new CheckFailure(
    'refused_by_server',
    { said: codes[code] ?? String(code) },
    { code, answer: `CONNACK ${code}` },
  )
}

/** Why a broker refuses, in the words of the standard (MQTT 3.1.1, 3.2.2.3). */
const codes: Readonly<Record<number, string>> = {
  1: 'unacceptable protocol version',
  2: 'identifier rejected',
  3: 'server unavailable',
  4: 'bad user name or password',
  5: 'not authorized',
}

/** @param messages is given those that come @returns whether one has what is expected */
async function awaitMessage(talk: Conversation, expected: string, messages: string[]): Promise<boolean> {
  let left: number = limits.bytes
  for (let count = 0; count < limits.packets && left > 0; count++) {
    const { type, body } = await readPacket(talk)
    if (type >> 4 === 9 && (body[2] ?? 0x80) >= 0x80) {
      throw new CheckFailure('refused_by_server', { said: 'SUBACK 128' }, { code: 128 })
    }
    if (type >> 4 !== 3 || body.length < 2) continue
    // The topic stands before the message, and with it a number where it is sent more than once.
    const payload = body.toString('utf8', 2 + body.readUInt16BE(0) + ((type & 6) === 0 ? 0 : 2))
    left -= payload.length
    messages.push(payload.slice(0, shown.characters))
    if (messages.length > shown.messages) messages.shift()
    if (hasText(payload, expected)) return true
  }
  return false
}

async function readPacket(talk: Conversation): Promise<{ type: number; body: Buffer }> {
  const [type = 0] = await talk.bytes(1)
  let length = 0
  for (let shift = 0; ; shift += 7) {
    const [byte = 0] = await talk.bytes(1)
    length |= (byte & 127) << shift
    if (byte < 128) break
    if (shift === 21) throw noMqtt(talk.pending())
  }
  if (length > limits.packet) throw new CheckFailure('too_much')
  return { type, body: await talk.bytes(length) }
}

const cleanSession = 2

function connectPacket({ user, password }: CheckOf<'mqtt'>): Buffer {
  const flags = cleanSession | (user ? 0x80 : 0) | (user && password ? 0x40 : 0)
  return packet(
    0x10,
    text('MQTT'),
    Buffer.from([4, flags, 0, 60]),
    text(`wheelhouse-${randomBytes(6).toString('hex')}`),
    ...(user ? [text(user)] : []),
    ...(user && password ? [text(password)] : []),
  )
}

function packet(type: number, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  const length: number[] = []
  for (let left = body.length; length.length === 0 || left > 0; left >>= 7)
    length.push((left & 127) | (left > 127 ? 128 : 0))
  return Buffer.concat([Buffer.from([type, ...length]), body])
}

/** A text with its length before it. */
function text(value: string): Buffer {
  const bytes = Buffer.from(value)
  return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 255]), bytes])
}

const noMqtt = (bytes: Buffer) => otherProtocol('MQTT', bytes)
