/** Characters that mean nothing to a shell, wherever they stand. */
const plain = /^[\w@%+=:,./-]+$/

/**
 * Quotes a value for sh, bash and zsh.
 * @throws Error with a text key for control characters: a terminal may act on them before any shell sees a quote
 */
export function quoteForPosix(value: string): string {
  rejectControlCharacters(value)
  return plain.test(value) ? value : `'${value.replaceAll("'", String.raw`'\''`)}'`
}

/**
 * Quotes a value for PowerShell, where typographic quotes end a text as well. Plain values stand in double quotes.
 * @throws Error with a text key for control characters
 */
export function quoteForPowerShell(value: string): string {
  rejectControlCharacters(value)
  return plain.test(value) ? `"${value}"` : `'${value.replaceAll(/['‘’‚‛]/g, '$&$&')}'`
}

function rejectControlCharacters(value: string) {
  if (/\p{Cc}/u.test(value)) throw new Error('app.install.control_characters')
}
