import type { Values } from '../../schemas/define/values.ts'
import { type ProblemCode, problemCodes, problemText } from '../configuration/problem.ts'

/** English sentences by code, for the command line; the console has them in its languages. */
const skipSentences = {
  user_exists: 'There is an account of this name already: its password and role stay; agents of both are let in.',
  username_taken: 'The name looks like "{other}", which somebody has: rename one of both.',
  username_invalid: 'The name needs {min} to {max} characters that can be seen.',
  secret_taken: 'Agents of somebody else here have the same secret: it is not taken along.',
  password_unknown: 'The password cannot be taken along: give it a new one with "wheelhouse reset-password".',
  no_uuid: 'There is no uuid by which its agent could be recognized.',
  too_many: 'Only the first {max} come along.',
  binding_taken: 'This account signs in somebody else here.',
  binding_of_existing: 'There is an account of this name already: it can be connected in its profile.',
  own_address: 'It is the address that you have now.',
  depends_on_proxy: 'Depends on the proxy in front of this server: set it in the settings.',
  setting_invalid: 'This value is not possible here.',
  kind_unknown: 'There is nothing like the kind "{kind}" here, or not with these settings.',
  nothing_like_it: 'There is nothing like it here.',
  empty_group: 'Nothing in it comes along.',
  upside_down: 'It is up when it fails, which is not possible here.',
  behind_proxy: 'It goes through a proxy: make it anew, with the proxy in its check.',
  paused: 'It is paused: no server checks it until you choose some.',
  interval_raised: '{count} are checked every {min} seconds, which is the shortest interval.',
  second_factor: 'The second factor does not come along: it has to be set up again.',
  no_mail_server: 'No mail server is set there.',
  api_token: 'API tokens do not come along: make a new one.',
} as const

const refusalSentences = {
  not_a_database: 'This is not a database of SQLite.',
  damaged: 'The file is damaged, or not all of it is there: copy it again.',
  unfinished:
    'Beside the file is another one with its latest changes (-wal or -journal): stop the program that writes it, and try again.',
  other_product: 'This is not a database of {product}.',
  other_product_found: 'This is not a database of {product}, but of {found}.',
  unknown_version: 'This version of {product} is not known: {missing} is missing.',
  too_old: 'This is {product} {version}, which is too old: update it to {needed} first.',
  bad_settings: 'The settings file cannot be read: {reason}',
  too_slow: 'The file takes too long to read.',
} as const

export type SkipCode = keyof typeof skipSentences | ProblemCode
export type RefusalCode = keyof typeof refusalSentences

const filled = (sentence: string, args: Values) =>
  sentence.replace(/\{(\w+)\}/g, (_, name: string) => String(args[name] ?? ''))

const isOwnCode = (code: string): code is keyof typeof skipSentences => code in skipSentences
const isProblemCode = (code: string): code is ProblemCode => problemCodes.some((one) => one === code)
const isRefusalCode = (code: string): code is RefusalCode => code in refusalSentences

/** @param code a `SkipCode`; of a newer server it may be another one, and is all that is known then */
export function skipText(code: string, args: Values = {}): string {
  if (isOwnCode(code)) return filled(skipSentences[code], args)
  return isProblemCode(code) ? problemText({ code, args }) : code
}

/** @param code a `RefusalCode` */
export const refusalText = (code: string, args: Values = {}): string =>
  isRefusalCode(code) ? filled(refusalSentences[code], args) : code
