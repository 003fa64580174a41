/** Tags are words of a server's note that begin with `#`, such as `#db`; in any case, and with letters of all languages. */
const tagInNote = /(?<![\p{L}\p{N}_/#])#([\p{L}\p{N}_-]+)/gu

/** Tags as a form has them: with commas or spaces between, with or without `#`. */
export const readTags = (text: string): string[] => [
  ...new Set(
    text
      .toLowerCase()
      .split(/[\s,;，、]+/)
      .flatMap((tag) => tag.replace(/^#/, '') || []),
  ),
]

/** The tags in the note of a server, in lower case. */
export const tagsOfNote = (note: string): Set<string> =>
  new Set([...note.matchAll(tagInNote)].map(([, tag = '']) => tag.toLowerCase()))
