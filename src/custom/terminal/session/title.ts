/** Characters of a shell's title at most: it stands in the browser's tab and in ours. */
const longest = 100

/**
 * What a shell calls itself, fit to be shown: one line, without control characters and without those that turn the
 * direction of the text around them, cut to length.
 */
export function shellTitle(said: string): string {
  const plain = said
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it takes out
    .replace(/[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  const signs = Array.from(plain)
  return signs.length > longest ? `${signs.slice(0, longest - 1).join('')}…` : plain
}
