import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { type Answer, AUTHORITATIVE_ANSWER, decode, encode, TRUNCATED_RESPONSE } from 'dns-packet'
import { onTestFinished } from 'vitest'
import { startRawServer } from './rawServer.ts'

/** A name server that answers each question in this way, by datagrams and over TCP. */
export async function startNameServer(
  answersOf: (type: string, name: string) => Answer[],
  { isCut = false } = {},
): Promise<string> {
  const reply = (bytes: Buffer, cut: boolean) => {
    const { id, questions = [] } = decode(bytes)
    const [{ type = 'A', name = '' } = {}] = questions
    const answers = name === 'missing.example' ? [] : answersOf(type, name)
    return encode({
      type: 'response',
      id,
      flags: AUTHORITATIVE_ANSWER | (cut ? TRUNCATED_RESPONSE : 0) | (name === 'missing.example' ? 3 : 0),
      questions,
      answers: cut ? [] : answers,
    })
  }
  const { port } = await startRawServer((socket: Socket) => {
    socket.on('data', (bytes: Buffer) => {
      const answer = reply(bytes.subarray(2), false)
      socket.write(Buffer.concat([Buffer.from([answer.length >> 8, answer.length & 255]), answer]))
    })
  })
  const datagrams = createSocket('udp4')
  datagrams.on('message', (bytes, { port, address }) => datagrams.send(reply(bytes, isCut), port, address))
  datagrams.bind(port, '127.0.0.1')
  await once(datagrams, 'listening')
  onTestFinished(() => void datagrams.close())
  return `127.0.0.1:${port}`
}
