/** Characters of a name that a machine gives. */
const maxName = 60

/** Systemd ends names with them, and no domain. */
const unitEndings = /\.(?:service|socket|device|mount|automount|swap|path|timer|slice|scope)$/

/**
 * A name as a machine gives it, without what could pass for another line, a link, a mention or markup in a message: of
 * addresses without a scheme messengers make links too.
 */
export function plainName(name: string): string {
  const cut = name.slice(0, maxName)
  const ending = unitEndings.exec(cut)?.[0] ?? ''
  const plain = cut
    .slice(0, cut.length - ending.length)
    .replace(/\/+/g, '/')
    .replace(/\.(?=\p{L})/gu, '-')
    // Within a word the low line is no markup.
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '-')
    .replace(/[^\p{L}\p{N}/._+-]+/gu, '-')
    .replace(/-{2,}/g, '-')
  return plain + ending || '?'
}
