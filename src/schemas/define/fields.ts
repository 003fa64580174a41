import { z } from 'zod'
import type { Values } from './values.ts'

/** How long the texts and lists of a form may be. Forms, refusals of the server and `openapi.json` say the same. */
export const limits = {
  /** Characters of a name. */
  name: 128,
  /** Characters of a short text: a schedule, a provider, the id of an account. */
  shortText: 256,
  /** Characters of a host name with its port. */
  host: 261,
  /** Characters of a key or token. */
  secret: 4_096,
  /** Characters of a web address. */
  url: 8_192,
  /** Characters of headers with their values; servers refuse longer ones. */
  headers: 16_384,
  /** Characters of a note, a command, or a list in one text. */
  note: 65_536,
  /** Characters of what is sent as the body of a request, of custom code, and of a value that is JSON. */
  body: 262_144,
  /** Entries of a list of ids. */
  ids: 10_000,
  /** Entries of a list of host names. */
  hosts: 200,
} as const

/** Facts about a field that zod cannot express; screens, server and tests read them. */
export interface FieldFacts {
  /** The field's kind, when the JSON Schema type alone does not tell it. */
  kind?: 'choice' | 'ref' | 'refs' | 'idSet' | 'json' | 'secret' | 'multiline'
  /** The entity whose ids this field holds. */
  to?: string
  /** Codes, numbers or words, and the names under which their texts are found: `choices.<field>.<name>`. */
  choices?: Readonly<Record<string, string>>
  /** The field that is empty in a reply when the server hides this one. Sending this one empty keeps the stored value. */
  concealedBy?: string
  /** Only newer servers have it: it is shown and sent where their records have it. */
  newer?: true
  /** Only servers whose `GET /setting` lists this key under `wheelhouse` have it: it is not shown in front of others. */
  announced?: string
  /**
   * Within a structured value, the ways to texts that are secrets: their keys, `*` for each entry. Replies have an empty
   * text in their place, and an empty text in a save keeps the stored one (see `innerSecrets.ts`).
   */
  secrets?: readonly (readonly string[])[]
  /** An update that leaves it out keeps what is stored: clients who do not know it must not clear it. */
  leftOut?: 'kept'
  /** The name of its type in the server's error messages. */
  wireName?: string
  /** A computed field that people change all the same: it is in the history of changes. */
  recorded?: true
  /** Sent with a save, never stored. */
  transient?: true
  /** The value of a transient field in a save that nobody watches, such as applying a configuration file. */
  unattended?: boolean
  /** Ids inside a value that is not a reference itself. */
  mentions?: readonly Mention[]
  /** See `ReferenceOptions`. */
  unknown?: 'accepted'
  /** How many entries an object may have: JSON Schema has the word, zod does not. */
  maxProperties?: number
  /** Characters of a value of the kind `json`, written as JSON. */
  maxLength?: number
  /** The fields of an object in JSON Schema, where a rule with words of its own judges them. */
  properties?: Values
}

/** What a server does with the ids of a field. */
export interface ReferenceOptions {
  /**
   * Ids that do not exist are saved, because servers of the contract save them. Default: they are refused. Ids of
   * records that the person may not see are refused either way.
   */
  unknown?: 'accepted'
}

/** Where a value holds ids of records of another entity. */
export interface Mention extends ReferenceOptions {
  to: string
  /**
   * The keys on the way to them, `*` for each item of a list; left out, they are the value. There may be an id, a list
   * of ids, a text of ids with commas between them, or an object whose keys are ids.
   */
  path?: readonly string[]
}

/** The facts of each schema. They reach `describeFields` through zod's public JSON Schema output. */
export const facts = z.registry<FieldFacts>()

/**
 * A point in time: RFC 3339 with any UTC offset, such as `2026-11-21T08:00:00+08:00`. It is stored and sent byte for byte
 * as it came. `0001-01-01T00:00:00Z` means "never". A form refuses an empty input, unless the field is `.optional()`
 * (left out on the wire) or `.nullable()`.
 */
export const moment = () => z.iso.datetime({ offset: true })

/** A character that has a shape: no control character, no space, nothing that is drawn as nothing. */
const visible = /[^\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u

/** The name of a record: trimmed, 1 to 128 characters, of which people see at least one. */
export const name = () =>
  z
    .string()
    .trim()
    .min(1)
    .max(limits.name)
    .refine((text) => text === '' || visible.test(text), { params: { key: 'validation.required' } })

/** A yes or no. @param initial its value in a new record, and where a request leaves it out */
export const flag = (initial = false) => z.boolean().default(initial)

/** Text of several lines, which may be empty. @param max characters */
export const multiline = (max: number = limits.note) => z.string().max(max).register(facts, { kind: 'multiline' })

/** Text that is stored but not shown: it is never searched, exported, copied or logged. @param max characters */
export const secret = (max: number = limits.secret) => z.string().max(max).register(facts, { kind: 'secret' })

/**
 * The names of stored secrets that a save takes away: of one that is left empty, the stored value stays otherwise.
 * Embedded server only.
 * @param names all fields that servers hide, but for those without which there is no record
 */
export const clearSecrets = (...names: [string, ...string[]]) =>
  z
    .array(z.enum(names))
    .max(names.length)
    .register(facts, { newer: true, announced: 'clear_secrets', transient: true })
    .optional()

/** One line of text, trimmed, which may be empty. @param max characters */
export const line = (max: number = limits.shortText) => z.string().trim().max(max)

/**
 * A number from a list of codes. Lists show unknown codes as they are; forms and the server refuse them.
 * @param names code to name; the text of a code is `choices.<field>.<name>`
 */
export const choice = <const C extends Readonly<Record<number, string>>>(names: C) =>
  z
    .int()
    .refine((code) => code in names, { params: { key: 'validation.choice' } })
    .register(facts, { kind: 'choice', choices: names as Readonly<Record<string, string>> })

/**
 * The id of one record of another entity. It must be chosen, and requests must have it. With `.optional()` both may leave
 * it out.
 */
export const ref = (to: string, options?: ReferenceOptions) =>
  z
    .int()
    .min(1)
    .register(facts, { kind: 'ref', to, ...options })

/**
 * The id of one record of another entity, or 0 for none, which is what an empty input saves: forms mark it as optional.
 * Requests must have it all the same; with `.default(0)` they may leave it out.
 */
export const refOrNone = (to: string, options?: ReferenceOptions) =>
  z
    .int()
    .min(0)
    .register(facts, { kind: 'ref', to, ...options })

/**
 * The ids of records of another entity, which may be none; sorted and without repetition, as servers require
 * (docs/contract/CONTRACT.md#55-server-groups-and-notifier-groups).
 */
export const refs = (to: string, options?: ReferenceOptions) =>
  z
    .array(z.int().min(1))
    .max(limits.ids)
    .overwrite((ids) => [...new Set(ids)].sort((a, b) => a - b))
    .register(facts, { kind: 'refs', to, ...options })

/** A set of ids, on the wire `{ "<id>": true }`. An entry with `false` has no meaning, but is kept. */
export const idSet = (to: string, options?: ReferenceOptions) =>
  z
    .record(z.string().regex(/^\d+$/), z.boolean())
    .refine((ids) => Object.keys(ids).length <= limits.ids, tooManyEntries(limits.ids))
    .register(facts, { kind: 'idSet', to, maxProperties: limits.ids, ...options })

/** What a schema says of a list that is too long, for rules that zod has no word for. */
export const tooManyEntries = (max: number) => ({ params: { key: 'validation.max_entries', max } })

/**
 * A structured value that people edit as JSON text. The form holds the text while it is edited;
 * text that cannot be read, or whose value does not fit `schema`, is refused with 'Invalid JSON string'. As JSON it has at
 * most as many characters as a body.
 */
export const jsonText = <S extends z.ZodType>(
  schema: S,
  { wireName, mentions }: Pick<FieldFacts, 'wireName' | 'mentions'> = {},
) => {
  const field = z.preprocess(readJson, schema).refine(hasJsonLength, tooLongJson)
  // `register` cannot see through the generic; the fact itself is plain.
  facts.add(field as z.ZodType, {
    kind: 'json',
    maxLength: limits.body,
    ...(wireName && { wireName }),
    ...(mentions && { mentions }),
  })
  return field
}

const hasJsonLength = (value: unknown) => (JSON.stringify(value)?.length ?? 0) <= limits.body
const tooLongJson = { params: { key: 'validation.max_length', max: limits.body } }

function readJson(value: unknown, context: z.RefinementCtx): unknown {
  if (typeof value !== 'string') return value
  if (value.trim() === '') return undefined
  try {
    return JSON.parse(value)
  } catch {
    context.addIssue({ code: 'custom', params: { key: 'validation.json' } })
    return z.NEVER
  }
}
