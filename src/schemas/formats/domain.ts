const label = /^[\p{L}\p{N}\p{M}_](?:[\p{L}\p{N}\p{M}_-]*[\p{L}\p{N}\p{M}_])?$/u
const longestLabel = 63
const longestDomain = 253

/** Whether a text can be a domain name, in any script; `*.example.org` stands for all names below. */
export function isDomain(text: string): boolean {
  const labels = text.replace(/^\*\./, '').replace(/\.$/, '').split('.')
  return text.length <= longestDomain && labels.every((part) => part.length <= longestLabel && label.test(part))
}
