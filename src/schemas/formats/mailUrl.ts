/** Mail server, sender and recipients, as in the address of a notifier. */
export interface MailUrl {
  /** A name or an address, IPv6 without brackets. */
  host: string
  port: number
  /** Whether the connection begins with TLS (`smtps`). With `smtp` it changes to TLS before anything is sent. */
  beginsWithTls: boolean
  user: string
  password: string
  from: string
  to: readonly string[]
  /** '' for the first line of the message. */
  subject: string
}

const maxRecipients = 20

/** Whether a notifier's address sends mail: `smtps://…` or `smtp://…`. */
export const isMailUrl = (url: string): boolean => /^smtps?:/i.test(url)

/**
 * Reads `smtps://user:password@mail.example.org:465/?from=a@example.org&to=b@example.org,c@example.org`. The port is 465
 * for `smtps` and 587 for `smtp` when it is left out; `from` is the user then, and `subject` the message's first line.
 * Each part is percent-encoded where it has characters that a URL gives a meaning.
 * @returns `undefined` when a part is missing or invalid
 */
export function readMailUrl(text: string): MailUrl | undefined {
  if (!isMailUrl(text) || !URL.canParse(text)) return undefined
  const { protocol, hostname, port, username, password, searchParams } = new URL(text)
  const [user, pass] = [decoded(username), decoded(password)]
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  if (user === undefined || pass === undefined || host === '' || /[\s%]/.test(host)) return undefined
  const beginsWithTls = protocol.toLowerCase() === 'smtps:'
  const to = searchParams.getAll('to').flatMap((list) => list.split(',').map((one) => one.trim()))
  const from = searchParams.get('from')?.trim() || user
  if (to.length === 0 || to.length > maxRecipients || ![from, ...to].every(isMailAddress)) return undefined
  return {
    host,
    beginsWithTls,
    user,
    password: pass,
    from,
    to,
    port: port === '' ? (beginsWithTls ? 465 : 587) : Number(port),
    subject: searchParams.get('subject') ?? '',
  }
}

/** `name@example.org`, without a display name; nothing that could end a line or a header. */
export const isMailAddress = (text: string) =>
  text.length <= 254 && /^[^\s\p{C}<>()[\],;:\\"@]+@[^\s\p{C}<>()[\],;:\\"@]+$/u.test(text)

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
