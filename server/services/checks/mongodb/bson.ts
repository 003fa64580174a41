import { CheckFailure } from '../parts/runner.ts'

/** What a document of MongoDB can hold here: JSON, and bytes. */
export type BsonValue = string | number | boolean | null | Buffer | BsonValue[] | BsonDocument
export interface BsonDocument {
  [name: string]: BsonValue
}

/** Values in a document, and how deep they lie in each other. */
const limits = { values: 5000, depth: 50 } as const

const types = {
  double: 1,
  string: 2,
  document: 3,
  array: 4,
  binary: 5,
  boolean: 8,
  null: 10,
  int32: 16,
  int64: 18,
} as const

/** A document as bytes (https://bsonspec.org/spec.html). */
export function encodeBson(document: BsonDocument): Buffer {
  const parts = Object.entries(document).map(([name, value]) => {
    const { type, bytes } = encoded(value)
    return Buffer.concat([Buffer.from([type]), Buffer.from(`${name.replaceAll('\0', '')}\0`), bytes])
  })
  const length = 5 + parts.reduce((sum, part) => sum + part.length, 0)
  return Buffer.concat([int32(length), ...parts, Buffer.from([0])])
}

function encoded(value: BsonValue): { type: number; bytes: Buffer } {
  if (value === null) return { type: types.null, bytes: Buffer.alloc(0) }
  if (Buffer.isBuffer(value)) {
    return { type: types.binary, bytes: Buffer.concat([int32(value.length), Buffer.from([0]), value]) }
  }
  if (Array.isArray(value)) return { type: types.array, bytes: encodeBson(Object.fromEntries(value.entries())) }
  switch (typeof value) {
    case 'string': {
      const text = Buffer.from(`${value}\0`)
      return { type: types.string, bytes: Buffer.concat([int32(text.length), text]) }
    }
    case 'boolean':
      return { type: types.boolean, bytes: Buffer.from([value ? 1 : 0]) }
    case 'number':
      return encodedNumber(value)
    default:
      return { type: types.document, bytes: encodeBson(value) }
  }
}

function encodedNumber(value: number): { type: number; bytes: Buffer } {
  if (Number.isInteger(value) && Math.abs(value) < 2 ** 31) return { type: types.int32, bytes: int32(value) }
  const bytes = Buffer.alloc(8)
  if (Number.isSafeInteger(value)) {
    bytes.writeBigInt64LE(BigInt(value))
    return { type: types.int64, bytes }
  }
  bytes.writeDoubleLE(value)
  return { type: types.double, bytes }
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32LE(value)
  return bytes
}

/**
 * Reads a document. What JSON has no form for becomes a text.
 * @throws CheckFailure for one that is broken, or has too much in it
 */
export function decodeBson(bytes: Buffer): BsonDocument {
  try {
    return decodeDocument(bytes, { values: limits.values }, 0)
  } catch (error) {
    if (error instanceof CheckFailure) throw error
    throw new CheckFailure('other_protocol', { wanted: 'MongoDB' })
  }
}

/** @throws RangeError beyond the end of the bytes */
function decodeDocument(bytes: Buffer, left: { values: number }, depth: number): BsonDocument {
  if (depth > limits.depth) throw new CheckFailure('too_much')
  const end = bytes.readInt32LE(0) - 1
  if (end < 4 || end >= bytes.length) throw new RangeError()
  const entries: [string, BsonValue][] = []
  for (let at = 4; at < end; ) {
    if (left.values-- <= 0) throw new CheckFailure('too_much')
    const type = bytes.readUInt8(at)
    const nameEnd = bytes.indexOf(0, at + 1)
    if (nameEnd < 0) throw new RangeError()
    const name = bytes.toString('utf8', at + 1, nameEnd)
    const { value, length } = decodeValue(type, bytes.subarray(nameEnd + 1, end), left, depth)
    if (length < 0) throw new RangeError()
    entries.push([name, value])
    at = nameEnd + 1 + length
  }
  return Object.fromEntries(entries)
}

function decodeValue(
  type: number,
  bytes: Buffer,
  left: { values: number },
  depth: number,
): { value: BsonValue; length: number } {
  switch (type) {
    case types.double:
      return { value: bytes.readDoubleLE(0), length: 8 }
    case types.string:
    case 13:
    case 14: {
      const length = bytes.readInt32LE(0)
      return { value: bytes.toString('utf8', 4, 3 + Math.max(1, length)), length: 4 + length }
    }
    case types.document: {
      const length = bytes.readInt32LE(0)
      return { value: decodeDocument(nested(bytes, length), left, depth + 1), length }
    }
    case types.array: {
      const length = bytes.readInt32LE(0)
      return { value: Object.values(decodeDocument(nested(bytes, length), left, depth + 1)), length }
    }
    case types.binary: {
      const length = bytes.readInt32LE(0)
      return { value: Buffer.from(bytes.subarray(5, 5 + Math.max(0, length))), length: 5 + length }
    }
    case 6:
    case types.null:
    case 127:
    case 255:
      return { value: null, length: 0 }
    case 7:
      return { value: bytes.toString('hex', 0, 12), length: 12 }
    case types.boolean:
      return { value: bytes.readUInt8(0) === 1, length: 1 }
    case 9:
    case 17:
    case types.int64:
      return { value: Number(bytes.readBigInt64LE(0)), length: 8 }
    case 11: {
      const pattern = bytes.indexOf(0)
      const options = bytes.indexOf(0, pattern + 1)
      if (pattern < 0 || options < 0) throw new RangeError()
      return { value: bytes.toString('utf8', 0, pattern), length: options + 1 }
    }
    case types.int32:
      return { value: bytes.readInt32LE(0), length: 4 }
    case 19:
      return { value: bytes.toString('hex', 0, 16), length: 16 }
    default:
      throw new RangeError()
  }
}

function nested(bytes: Buffer, length: number): Buffer {
  if (length < 5 || length > bytes.length) throw new RangeError()
  return bytes.subarray(0, length)
}
