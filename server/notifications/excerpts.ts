import { percentDecoded } from '../wire/percentDecoded.ts'

/** Enough to recognise a text without storing much of it. */
const maxCharacters = 200

/** The first line of a message, shortened. Further lines may hold the output of a command. */
export function messageExcerpt(message: string): string {
  const [line = ''] = message.trimStart().split(/[\r\n\u2028\u2029]/)
  return truncate(printable(line))
}

/**
 * The beginning of a reply or error message, without secrets.
 * @param secrets texts that the receiver may have repeated in its reply
 */
export function replyExcerpt(text: string, secrets: readonly string[]): string {
  const redactedText = secrets.reduce((redacted, secret) => redacted.replaceAll(secret, '…'), text)
  return truncate(printable(redactedText).replaceAll(/\s+/g, ' ').trim())
}

/** Everything in a notifier's URL, header values, body and key that may be a token. */
export function notifierSecrets({ url, request_header, request_body, signing_secret }: RequestTexts): string[] {
  const { username = '', password = '', pathname = '', search = '', hash = '' } = URL.canParse(url) ? new URL(url) : {}
  const words = `${pathname}/${hash}`.split(/[/#&=]/).filter(isTokenLike)
  const values = [
    username,
    password,
    ...search.split(/[?&=#]/),
    ...jsonStringValues(request_header),
    ...jsonStringValues(request_body),
    signing_secret ?? '',
  ]
  const all = [...words, ...values.filter((value) => value.length >= minSecretLength)].flatMap((text) => [
    text,
    percentDecoded(text),
  ])
  // Longest first, so that a part of a secret does not break it up.
  return [...new Set(all)].sort((one, other) => other.length - one.length)
}

type RequestTexts = Readonly<Record<'url' | 'request_header' | 'request_body', string>> & {
  readonly signing_secret?: string | null
}

const minSecretLength = 6

/** Not an ordinary word of a path, such as `sendMessage`. */
export const isTokenLike = (text: string) => text.length >= (/\d/.test(text) ? minSecretLength : 16)

/** The words of all string values in a JSON text, without placeholders. */
const jsonStringValues = (json: string) =>
  [...json.matchAll(/:\s*"((?:[^"\\]|\\.)*)"/g)].flatMap(([, value = '']) =>
    value.replaceAll(/#[A-Z0-9.]+#/g, ' ').split(' '),
  )

/** Replaces control and text direction characters, which could forge log entries. */
const printable = (text: string) => text.replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\uFFFD]/gu, ' ')

function truncate(text: string): string {
  const characters = [...text]
  return characters.length <= maxCharacters ? text : `${characters.slice(0, maxCharacters - 1).join('')}…`
}
