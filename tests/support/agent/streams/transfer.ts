import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat, writeFile } from 'node:fs/promises'
import type { AgentCall } from '../agentCalls.ts'
import { fileCallErrorText } from '../goErrorText.ts'
import { attach } from './attach.ts'
import { drainOf } from './files.ts'

interface Order {
  stream_id: string
  op: 'upload' | 'download'
  path: string
  size?: number
}

const keepaliveMs = 30_000
const chunkBytes = 65_536
const mostBytes = 104_857_600

/** A number in eight bytes. */
function eightBytes(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt(value))
  return bytes
}

const header = (marker: string, size: number, rest: Uint8Array = Buffer.alloc(0)) =>
  Buffer.concat([Buffer.from(marker), eightBytes(size), rest])

/** Task 20 (docs/contract/AGENT.md#93-transfer-exec-fs): a file in one direction, with its SHA-256. */
export function openTransfer(data: string, openStream: () => AgentCall<'IOStream'>, isOff: boolean): void {
  let order: Order
  try {
    order = JSON.parse(data)
  } catch {
    return
  }
  const stream = attach(openStream(), order.stream_id ?? '', keepaliveMs)
  const drained = drainOf(stream)
  const refuse = (text: string) => {
    stream.send(Buffer.from(`NZTE${text}`))
    stream.halfClose()
  }
  if (isOff) {
    refuse('FsTransfer 被 agent DisableCommandExecute 拒绝')
    return
  }
  if (order.op === 'download') {
    download().catch((error) => refuse(fileCallErrorText(error)))
    return
  }
  const parts: Buffer[] = []
  let received = 0
  stream.send(header('NZTU', order.size ?? 0))
  stream.onFrame((frame) => {
    parts.push(Buffer.from(frame))
    received += frame.length
    if (received > mostBytes) refuse('file too large')
    else if (received >= (order.size ?? 0))
      upload(Buffer.concat(parts)).catch((error) => refuse(fileCallErrorText(error)))
  })

  async function upload(content: Buffer): Promise<void> {
    await writeFile(order.path, content)
    stream.send(header('NZTO', content.length, createHash('sha256').update(content).digest()))
    stream.halfClose()
  }

  async function download(): Promise<void> {
    const { size } = await stat(order.path)
    const hash = createHash('sha256')
    stream.send(header('NZTD', size, Buffer.alloc(32)))
    for await (const chunk of createReadStream(order.path, { highWaterMark: chunkBytes })) {
      hash.update(chunk)
      if (!stream.send(header('NZTC', chunk.length, chunk))) await drained()
    }
    stream.send(header('NZTO', size, hash.digest()))
    stream.halfClose()
  }
}
