import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire'
import { errorMessage } from '../../../src/domain/errors.ts'
import { InvalidMessage } from './messageReader.ts'

/**
 * A field of a message: how it is written and read. As in proto3, a missing field has the zero value, and a zero value
 * is not written.
 */
interface Field<T> {
  number: number
  zero(): T
  write(writer: BinaryWriter, value: T): void
  /** @param before what was read of the same field before; lists grow */
  read(reader: BinaryReader, wireType: WireType, before: T): T
}

// biome-ignore lint/suspicious/noExplicitAny: a table of fields of different types, each of which fits itself
type Fields = Readonly<Record<string, Field<any>>>

type ValuesOf<F> = { -readonly [name in keyof F]: F[name] extends Field<infer T> ? T : never }

/** A message type: writes and reads its values. */
export interface MessageType<Values> {
  encode(values: Partial<Values>): Uint8Array
  /** Unknown fields are skipped. @throws InvalidMessage */
  decode(bytes: Uint8Array): Values
}

/** The values of a message type. */
export type Message<Type> = Type extends MessageType<infer Values> ? Values : never

/** A type of single values, as a field with a number. */
type Scalar<T> = (number: number) => Field<T>

function scalar<T>(
  wireType: WireType,
  zero: T,
  write: (writer: BinaryWriter, value: T) => void,
  read: (reader: BinaryReader) => T,
  isZero = (value: T) => value === zero,
): Scalar<T> {
  return (number) => ({
    number,
    zero: () => zero,
    write(writer, value) {
      if (!isZero(value)) write(writer.tag(number, wireType), value)
    },
    read(reader, type) {
      if (type !== wireType) throw wrongType(number)
      return read(reader)
    },
  })
}

/** The sender has another schema. */
const wrongType = (number: number) => new InvalidMessage(`field ${number} has another type than expected`)

const noBytes: Uint8Array = new Uint8Array()
const lengthDelimited = WireType.LengthDelimited

export const text = scalar(
  lengthDelimited,
  '',
  (to, value) => to.string(value),
  (from) => from.string(),
)
export const bytes = scalar(
  lengthDelimited,
  noBytes,
  (to, value) => to.bytes(value),
  (from) => from.bytes(),
  (value) => value.length === 0,
)
export const flag = scalar(
  WireType.Varint,
  false,
  (to, value) => to.bool(value),
  (from) => from.bool(),
)
export const double = scalar(
  WireType.Bit64,
  0,
  (to, value) => to.double(value),
  (from) => from.double(),
)
export const float = scalar(
  WireType.Bit32,
  0,
  (to, value) => to.float(value),
  (from) => from.float(),
)
/** Exact up to 2^53, which is enough for bytes and seconds; beyond it the nearest number. */
export const uint64 = scalar(
  WireType.Varint,
  0,
  (to, value) => to.uint64(value),
  (from) => Number(from.uint64()),
)

export function texts(number: number): Field<string[]> {
  return {
    number,
    zero: () => [],
    write(writer, values) {
      for (const value of values) writer.tag(number, lengthDelimited).string(value)
    },
    read(reader, type, before) {
      if (type !== lengthDelimited) throw wrongType(number)
      before.push(reader.string())
      return before
    },
  }
}

/** Packed, as proto3 does with numbers; one by one is understood as well. */
export function doubles(number: number): Field<number[]> {
  return {
    number,
    zero: () => [],
    write(writer, values) {
      if (values.length === 0) return
      writer.tag(number, lengthDelimited).fork()
      for (const value of values) writer.double(value)
      writer.join()
    },
    read(reader, type, before) {
      if (type !== lengthDelimited && type !== WireType.Bit64) throw wrongType(number)
      const length = type === WireType.Bit64 ? 8 : reader.uint32()
      const end = reader.pos + length
      if (end > reader.len || length % 8 !== 0) throw new InvalidMessage(`field ${number} is cut off`)
      while (reader.pos < end) before.push(reader.double())
      return before
    },
  }
}

/** A message inside another one; `undefined` when it is missing. */
export function embedded<Values>(type: MessageType<Values>, number: number): Field<Partial<Values> | undefined> {
  return {
    number,
    zero: () => undefined,
    write(writer, value) {
      if (value) writer.tag(number, lengthDelimited).bytes(type.encode(value))
    },
    read(reader, wireType) {
      if (wireType !== lengthDelimited) throw wrongType(number)
      return type.decode(reader.bytes())
    },
  }
}

export function list<Values>(type: MessageType<Values>, number: number): Field<Partial<Values>[]> {
  return {
    number,
    zero: () => [],
    write(writer, values) {
      for (const value of values) writer.tag(number, lengthDelimited).bytes(type.encode(value))
    },
    read(reader, wireType, before) {
      if (wireType !== lengthDelimited) throw wrongType(number)
      before.push(type.decode(reader.bytes()))
      return before
    },
  }
}

/** A message type by its fields, as `message({ name: text(1), size: uint64(2) })`. */
export function message<F extends Fields>(fields: F): MessageType<ValuesOf<F>> {
  type Values = ValuesOf<F>
  const entries = Object.entries(fields)
  const byNumber = new Map(entries.map(([name, field]) => [field.number, { name, field }]))
  const zeros = Object.fromEntries(entries.map(([name, field]) => [name, field.zero()]))
  const lists = [...byNumber.values()].filter(({ name }) => Array.isArray(zeros[name]))
  return {
    encode(values) {
      const writer = new BinaryWriter()
      for (const [name, field] of entries) {
        const value = values[name as keyof Values]
        if (value !== undefined) field.write(writer, value)
      }
      return writer.finish()
    },
    decode(from) {
      // An object that gets its members one by one would be copied often.
      const values: { [name: string]: unknown } = { ...zeros }
      for (const { name, field } of lists) values[name] = field.zero()
      try {
        const reader = new BinaryReader(from)
        while (reader.pos < reader.len) {
          const [number, wireType] = reader.tag()
          const described = byNumber.get(number)
          if (described) values[described.name] = described.field.read(reader, wireType, values[described.name])
          else reader.skip(wireType, number)
        }
      } catch (error) {
        throw new InvalidMessage(`this is no message of this method: ${errorMessage(error)}`, { cause: error })
      }
      return values as Values
    },
  }
}
