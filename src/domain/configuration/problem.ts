import type { z } from 'zod'
import { keysOf, type Values } from '../../schemas/define/values.ts'

/** A place in the file, counted from 1. */
export interface Position {
  line: number
  column: number
}

/** English sentences by code, for the command line; the console has them in its languages. */
const sentences = {
  too_large: 'The file is larger than {max} MiB.',
  syntax: 'This is not YAML: {reason}',
  tab_indent: 'This line begins with a tab: indent it by spaces.',
  bad_indent: 'This line is not indented like the others of its list or record.',
  duplicate_key: 'This field is there twice.',
  not_closed: 'A quotation mark or bracket before this place is not closed.',
  needs_quotes:
    'This value needs quotation marks: it begins with a special character, or has a colon and a space in it.',
  colon_missing: 'There is no colon after the name of this field.',
  unexpected_text: '"{found}" is not expected here.',
  too_deep: 'The file is nested deeper than {max} levels.',
  alias: 'Anchors, aliases and tags are not supported: write the value itself.',
  not_mapping: 'Expected a mapping of fields to values.',
  not_list: '{section} must be a list of records.',
  unknown_section: 'There are no records called {section}: expected {expected}.',
  not_available: 'This server has no {section}.',
  name_missing: 'The record needs a name.',
  duplicate_name: '{section} has a record called "{name}" already, on line {first}.',
  unknown_field: '{section} has no field {field}: expected {expected}.',
  wrong_type: '{field} must be {expected}.',
  unknown_choice: '{field} cannot be {value}: expected {expected}.',
  unknown_reference: '{field}: there is no {section} called "{name}".',
  ambiguous_reference: '{field}: {count} records of {section} are called "{name}": give each a name of its own.',
  deleted_reference: '{field}: the {section} "{name}" would be deleted, because the file does not have it.',
  circular_reference: '{section} "{name}" refers to itself, directly or by way of other new records.',
  ambiguous_record: '{count} records of {section} are called "{name}": give each a name of its own.',
  read_only: '{section} "{name}" belongs to somebody else: it is read-only for you.',
  cannot_create: 'There is no {section} called "{name}", and a file cannot make one: it appears when it first reports.',
  secret_missing: '{field} is not known for a new record: give it as a variable, such as {variable}.',
  secret_needed: '{field} cannot be cleared: the record needs it.',
  variable_missing: '{field}: the variable {variable} is not set.',
  variable_reserved: '{field}: a file cannot use {variable}, which is for signing in: give the variable another name.',
  invalid: '{reason}.',
} as const

const warningSentences = {
  plain_secret: '{field} is a secret in plain text: write it as a variable, such as {variable}.',
  secret_stays: '{field} stays as it is: this server cannot clear it, or does not say whether it is set.',
  secret_unknown: '{field} is not known for a new record: it will be empty.',
} as const

export type ProblemCode = keyof typeof sentences
export const problemCodes: readonly ProblemCode[] = keysOf(sentences)

export type WarningCode = keyof typeof warningSentences

/** What stands in the sentence: names and numbers. */
export interface ProblemArgs extends Values {
  /** Of `invalid`: what the schema says, and the values that it says it of. */
  readonly issue?: z.core.$ZodIssue
  readonly form?: Values
}

/** Why a file cannot be applied. */
export interface Problem {
  code: ProblemCode
  args: ProblemArgs
  /** Left out where no single place of the file is to blame. */
  at?: Position
}

/** What a person should know before a file is applied. */
export interface Warning extends Omit<Problem, 'code'> {
  code: WarningCode
}

const filled = (sentence: string, args: Values) =>
  sentence.replace(/\{(\w+)\}/g, (_, name: string) => String(args[name] ?? ''))

const located = (at: Position | undefined, sentence: string) => (at ? `${at.line}:${at.column}: ${sentence}` : sentence)

/** `12:5: …`, as compilers write it. */
export const problemText = ({ code, args, at }: Omit<Problem, 'args'> & { args: Values }): string =>
  located(at, filled(sentences[code], args))
export const warningText = ({ code, args, at }: Warning): string => located(at, filled(warningSentences[code], args))
