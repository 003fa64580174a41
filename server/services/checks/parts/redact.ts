import { type Check, checkKindOf } from '../../../../src/schemas/checks/checks.ts'
import { secretsIn } from '../../../../src/schemas/define/innerSecrets.ts'

/** Shorter texts occur by chance. */
const minLength = 4
/** A word of a longer secret, as the token in `Bearer abc`, or a value in a body. */
const minWordLength = 6

/** Secrets and their words. Each is looked for in each answer: a body of 64 KB may have 9,000 words. */
const maxPieces = 1000

/**
 * Gives a function that replaces the secrets of a check in an answer, in which a server may repeat them: whole, their
 * words, and as they are sent. Of a check with too many of them no answer is shown.
 */
export function redactSecrets(check: Check): (text: string) => string {
  const secrets = secretsIn(check, checkKindOf(check)?.secrets ?? [])
  const words = secrets.flatMap((secret) => secret.split(/[\s"'{}[\]<>:;,=&]+/).filter(isWord))
  if (secrets.length + words.length > maxPieces) return (text) => text && '…'
  const sent = [...secrets.filter(({ length }) => length >= minLength), ...words].flatMap((text) => [
    text,
    encodeURIComponent(text.toWellFormed()),
    JSON.stringify(text).slice(1, -1),
  ])
  // Longest first, so that a part of a secret does not break it up.
  const all = [...new Set([...sent, ...basicCredentials(check)])].sort((one, other) => other.length - one.length)
  return (text) => all.reduce((redacted, secret) => redacted.replaceAll(secret, '…'), text)
}

const isWord = ({ length }: string) => length >= minWordLength

function basicCredentials(check: Check): string[] {
  if (!('auth' in check) || check.auth?.kind !== 'basic' || !check.auth.password) return []
  return [basicToken(check.auth)]
}

/** What stands behind `Basic` in a header. */
export const basicToken = ({ user, password }: { user: string; password: string }): string =>
  Buffer.from(`${user}:${password}`).toString('base64')
