type Value = string | number | readonly Value[] | { readonly [key: string]: Value }

const types = { text: 2, uint16: 5, uint32: 6, map: 7, uint64: 9, list: 11 }

/** The head of a value in the MMDB format; types above 7 take a second byte. */
function control(type: number, size: number): Buffer {
  if (size > 28) throw new Error('longer values are not needed here')
  return type > 7 ? Buffer.from([size, type - 7]) : Buffer.from([(type << 5) | size])
}

function encode(value: Value): Buffer {
  if (typeof value === 'string') return Buffer.concat([control(types.text, value.length), Buffer.from(value)])
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32BE(value)
    return Buffer.concat([control(types.uint32, 4), bytes])
  }
  if (Array.isArray(value)) return Buffer.concat([control(types.list, value.length), ...value.map(encode)])
  const entries = Object.entries(value)
  return Buffer.concat([
    control(types.map, entries.length),
    ...entries.flatMap(([key, one]) => [encode(key), encode(one)]),
  ])
}

/**
 * An address database of IPv4 that knows the addresses whose first byte is one of these.
 * @param records by the first byte
 */
export function mmdbFile(records: Readonly<Record<number, Value>>): Buffer {
  const data: Buffer[] = []
  const offsets = new Map<number, number>()
  for (const [byte, record] of Object.entries(records)) {
    offsets.set(Number(byte), Buffer.concat(data).length)
    data.push(encode(record))
  }
  // A full tree of eight bits: 255 nodes, each with two records of 24 bits.
  const nodeCount = 255
  const tree = Buffer.alloc(nodeCount * 6)
  for (let node = 0; node < nodeCount; node++) {
    for (const side of [0, 1]) {
      const child = node * 2 + 1 + side
      const offset = offsets.get(child - nodeCount)
      const target = child < nodeCount ? child : offset === undefined ? nodeCount : nodeCount + 16 + offset
      tree.writeUIntBE(target, node * 6 + side * 3, 3)
    }
  }
  const metadata = {
    node_count: nodeCount,
    record_size: 24,
    ip_version: 4,
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1,
    database_type: 'test',
    languages: [],
    description: {},
  }
  const marker = Buffer.from([0xab, 0xcd, 0xef, ...Buffer.from('MaxMind.com')])
  return Buffer.concat([tree, Buffer.alloc(16), ...data, marker, encode(metadata)])
}
