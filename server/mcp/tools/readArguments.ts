import type { Values } from '../../../src/schemas/define/values.ts'
import { ApiError } from '../../wire/apiError.ts'
import { readParsedFields } from '../../wire/readFields.ts'
import type { ValueOf, WireType } from '../../wire/wireType.ts'
import { badArgument } from './toolFailure.ts'

/** An argument: its type on the wire, which is enforced, and its JSON Schema, which only tells clients what makes sense. */
interface Argument {
  type: WireType
  schema: Values
}

export type ArgumentTypes = Readonly<Record<string, Argument>>

/** The arguments of a tool; one that was not given is `undefined`, or nothing (0, '' or false) when it was null. */
export type ArgumentsOf<Types extends ArgumentTypes> = { [Name in keyof Types]?: ValueOf<Types[Name]['type']> }

/** What an argument can be. */
export const argument = {
  id: { type: { kind: 'uint64' }, schema: { type: 'integer' } },
  text: { type: { kind: 'string' }, schema: { type: 'string' } },
  flag: { type: { kind: 'bool' }, schema: { type: 'boolean' } },
  ids: { type: { kind: 'list', of: { kind: 'uint64' } }, schema: { type: 'array', items: { type: 'integer' } } },
  texts: { type: { kind: 'list', of: { kind: 'string' } }, schema: { type: 'array', items: { type: 'string' } } },
  textByName: { type: { kind: 'map', key: 'string', of: { kind: 'string' } }, schema: { type: 'object' } },
  encoding: { type: { kind: 'string' }, schema: { type: 'string', enum: ['utf8', 'base64'] } },
  integer: (bounds: { minimum?: number; maximum?: number } = {}) =>
    ({ type: { kind: 'int' }, schema: { type: 'integer', ...bounds } }) as const,
} as const

/**
 * Reads the arguments of a call; a call without any is the same as one with `{}`, and unknown ones are ignored.
 * @throws ToolFailure in the words of the contract
 */
export function readArguments<const Types extends ArgumentTypes>(given: unknown, input: Types): ArgumentsOf<Types> {
  const types = Object.fromEntries(Object.entries(input).map(([name, { type }]) => [name, type]))
  try {
    return readParsedFields(given ?? {}, 'Arguments', types) as ArgumentsOf<Types>
  } catch (error) {
    if (error instanceof ApiError) throw badArgument(`invalid arguments: ${error.message}`)
    throw error
  }
}
