/** As much of HTTP/2 (RFC 9113) as a client needs that sends the same headers again and again. */
export const frameTypes = {
  data: 0,
  headers: 1,
  reset: 3,
  settings: 4,
  ping: 6,
  goAway: 7,
} as const

export const flags = { endStream: 1, ack: 1, endHeaders: 4 } as const

/** Bytes of the head of a frame. */
const headBytes = 9

export function frame(type: number, flag: number, stream: number, payload: Uint8Array): Buffer {
  const bytes = Buffer.allocUnsafe(headBytes + payload.length)
  bytes.writeUIntBE(payload.length, 0, 3)
  bytes[3] = type
  bytes[4] = flag
  bytes.writeUInt32BE(stream, 5)
  bytes.set(payload, headBytes)
  return bytes
}

/** What a client says first: the preface, and settings with a window of 1 MiB. */
export const clientStart = Buffer.concat([
  Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  frame(frameTypes.settings, 0, 0, Buffer.from([0, 4, 0, 0x10, 0, 0])),
])

/** Headers without compression or a table (RFC 7541, 6.2.2), so that they are the same bytes each time. */
export function headerBlock(headers: Readonly<Record<string, string>>): Buffer {
  const text = (value: string) => {
    const bytes = Buffer.from(value)
    // A length of 127 and more takes another form, which no header of an agent needs.
    if (bytes.length >= 127) throw new Error(`The header ${value} is too long.`)
    return Buffer.concat([Buffer.from([bytes.length]), bytes])
  }
  return Buffer.concat(Object.entries(headers).flatMap(([name, value]) => [Buffer.from([0]), text(name), text(value)]))
}

export interface Frame {
  type: number
  flag: number
  stream: number
  payload: Buffer
}

/** Cuts what arrives into frames, whatever the pieces in which it comes. */
export function createFrameReader(onFrame: (frame: Frame) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0)
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    while (rest.length >= headBytes) {
      const end = headBytes + rest.readUIntBE(0, 3)
      if (rest.length < end) return
      const [type, flag] = [rest[3] ?? 0, rest[4] ?? 0]
      onFrame({ type, flag, stream: rest.readUInt32BE(5) & 0x7fffffff, payload: rest.subarray(headBytes, end) })
      rest = rest.subarray(end)
    }
  }
}

/** A message of gRPC as it travels in the data of a stream. */
export function messageFrame(stream: number, message: Uint8Array, flag = 0): Buffer {
  const framed = Buffer.alloc(5 + message.length)
  framed.writeUInt32BE(message.length, 1)
  framed.set(message, 5)
  return frame(frameTypes.data, flag, stream, framed)
}
