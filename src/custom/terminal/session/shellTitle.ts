/** Maximum characters of a shell's title: it is shown in the browser's tab and in ours. */
const maxLength = 100

/**
 * The title that a shell has set, safe to show: one line, without control characters and without those that change the
 * text direction, cut to length.
 */
export function shellTitle(rawTitle: string): string {
  const plain = rawTitle
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it takes out
    .replace(/[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  const characters = Array.from(plain)
  return characters.length > maxLength ? `${characters.slice(0, maxLength - 1).join('')}…` : plain
}
