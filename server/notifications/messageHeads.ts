/** How much of a text is written down: enough to know it again, too little to keep a page of somebody's output. */
const mostCharacters = 200

/** The first line of what was said, cut. Further lines may hold what a command printed. */
export function headOf(message: string): string {
  const [line = ''] = message.trimStart().split(/[\r\n\u2028\u2029]/)
  return cut(printable(line))
}

/**
 * The beginning of a reply or of an error, without what must stay secret.
 * @param secrets texts that a receiver may have sent back
 */
export function replyHead(text: string, secrets: readonly string[]): string {
  const clean = secrets.reduce((shown, secret) => shown.replaceAll(secret, '…'), text)
  return cut(printable(clean).replaceAll(/\s+/g, ' ').trim())
}

/** What may be a token in a notifier: in its address, in the values of its headers, and in its body. */
export function secretsIn({ url, request_header, request_body }: Sent): string[] {
  const { username = '', password = '', pathname = '', search = '', hash = '' } = URL.canParse(url) ? new URL(url) : {}
  const words = `${pathname}/${hash}`.split(/[/#&=]/).filter(isTokenLike)
  const values = [username, password, ...search.split(/[?&=#]/), ...quotedIn(request_header), ...quotedIn(request_body)]
  const all = [...words, ...values.filter((value) => value.length >= shortestSecret)].flatMap((text) => [
    text,
    decoded(text),
  ])
  // The longest first: a part of one must not break it up.
  return [...new Set(all)].sort((one, other) => other.length - one.length)
}

type Sent = Readonly<Record<'url' | 'request_header' | 'request_body', string>>

const shortestSecret = 6

/** Paths have words in them, as `sendMessage`, that a log may well show. */
const isTokenLike = (text: string) => text.length >= (/\d/.test(text) ? shortestSecret : 16)

/** The words of what stands behind a colon in a JSON text, placeholders aside. */
const quotedIn = (json: string) =>
  [...json.matchAll(/:\s*"((?:[^"\\]|\\.)*)"/g)].flatMap(([, value = '']) =>
    value.replaceAll(/#[A-Z0-9.]+#/g, ' ').split(' '),
  )

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Control and direction characters could make a log say what is not there. */
const printable = (text: string) => text.replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\uFFFD]/gu, ' ')

function cut(text: string): string {
  const characters = [...text]
  return characters.length <= mostCharacters ? text : `${characters.slice(0, mostCharacters - 1).join('')}…`
}
