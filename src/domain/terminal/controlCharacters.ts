/**
 * Replaces control characters in a pasted text by their visible symbols (U+2400 and following), so that nothing in it
 * can end a bracketed paste or act as a key. Tabs and line breaks stay.
 */
export const escapeControlCharacters = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for
  text.replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/g, (character) =>
    character === '\x7f' ? '\u2421' : String.fromCharCode(0x2400 + character.charCodeAt(0)),
  )
