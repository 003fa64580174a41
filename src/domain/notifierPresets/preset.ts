import { z } from 'zod'
import { facts, limits, line } from '../../schemas/define/fields.ts'

/** What a preset asks. */
export interface Question {
  /** The rules of the answer, and its kind of input. */
  answer: z.ZodType
  /** Keys of its texts. */
  label: string
  help?: string
}

/** The fields of a notifier that a preset fills in. */
export interface PresetValues {
  url: string
  request_method: number
  request_type: number
  request_header: string
  request_body: string
}

export type Answers = Readonly<Record<string, string>>

/** A service that takes messages: what to ask for it, and the request that it wants. */
export interface Preset {
  id: string
  /** As the service calls itself. */
  name: string
  /** Key of the text that says where the answers are found, and what the service does not take. */
  help: string
  questions: Readonly<Record<string, Question>>
  fill: (answers: Answers) => PresetValues
  /** Only servers that announce this key of `wheelhouse` can send it. */
  announced?: string
}

/** A text that must be given, and is not hidden while it is typed. */
export const answer = () => line(limits.url).min(1)

/** A text that may be left out. */
export const optionalAnswer = () => line(limits.url).default('')

/** A secret that must be given. */
export const secretAnswer = () => z.string().trim().min(1).max(limits.secret).register(facts, { kind: 'secret' })

/** A secret that may be left out. */
export const optionalSecret = () => z.string().trim().max(limits.secret).register(facts, { kind: 'secret' }).default('')

/** A web address. @param initial the value at first */
export const webAddress = (initial?: string) => {
  const schema = z.url({ protocol: /^https?$/ }).max(limits.url)
  return initial === undefined ? schema : schema.default(initial)
}

/** An address without the slashes at its end, to which a path is added. */
export const base = (url = '') => url.replace(/\/+$/, '')

interface RequestParts {
  url: string
  /** Sent as JSON. Texts in it may have placeholders. */
  json?: object
  /** Sent as form fields, in the place of `json`. */
  form?: Readonly<Record<string, string>>
  headers?: Readonly<Record<string, string>>
}

/**
 * The request of a preset. Its headers are never an empty text, which would keep those that a stored notifier has: a
 * token of the service before would be sent to this one.
 */
export const postRequest = ({ url, json, form, headers = {} }: RequestParts): PresetValues => ({
  url,
  request_method: 2,
  request_type: form ? 2 : 1,
  request_header: JSON.stringify(headers),
  request_body: JSON.stringify(form ?? json ?? {}),
})

/** The message, with a keyword before it where there is one. */
export const messageAfter = (keyword = '') => [keyword, '#NEZHA#'].filter(Boolean).join(' ')
