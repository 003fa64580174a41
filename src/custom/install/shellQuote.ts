/** Characters without a special meaning in any shell. */
const safeCharacters = /^[\w@%+=:,./-]+$/

/**
 * Quotes a value for sh, bash and zsh.
 * @throws Error with a text key for control characters: a terminal may act on them before the shell reads the quotes
 */
export function quoteForPosix(value: string): string {
  rejectControlCharacters(value)
  return safeCharacters.test(value) ? value : `'${value.replaceAll("'", String.raw`'\''`)}'`
}

/**
 * Quotes a value for PowerShell, where typographic quotes also end a string. Values of safe characters get double quotes.
 * @throws Error with a text key for control characters
 */
export function quoteForPowerShell(value: string): string {
  rejectControlCharacters(value)
  return safeCharacters.test(value) ? `"${value}"` : `'${value.replaceAll(/['‘’‚‛]/g, '$&$&')}'`
}

function rejectControlCharacters(value: string) {
  if (/\p{Cc}/u.test(value)) throw new Error('app.install.control_characters')
}
