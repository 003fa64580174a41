const label = /^[\p{L}\p{N}\p{M}_](?:[\p{L}\p{N}\p{M}_-]*[\p{L}\p{N}\p{M}_])?$/u
const maxLabelLength = 63
const maxDomainLength = 253

/** Whether a text is a valid domain name, in any script; `*.example.org` means all names below `example.org`. */
export function isDomain(text: string): boolean {
  const labels = text.replace(/^\*\./, '').replace(/\.$/, '').split('.')
  return text.length <= maxDomainLength && labels.every((part) => part.length <= maxLabelLength && label.test(part))
}
