const isLoopback = (address: string) => address === '::1' || /^127(\.\d{1,3}){3}$/.test(address)

/** The first four groups of an IPv6 address or `/64` network; `undefined` for other texts. */
function networkOf(text: string): string | undefined {
  const [address = ''] = text.split(/[/%]/)
  if (!address.includes(':') || !URL.canParse(`http://[${address}]`)) return undefined
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const split = (part: string) => (part === '' ? [] : part.split(':'))
  const zeros = tail === undefined ? 0 : 8 - split(head).length - split(tail).length
  const groups = [...split(head), ...Array.from({ length: zeros }, () => '0'), ...split(tail ?? '')]
  return groups.slice(0, 4).join(':')
}

/**
 * Whether two IP addresses belong to the same client. All loopback addresses do, because `localhost` may be any; and
 * IPv6 addresses of one /64 network, because a client can usually use all of them. Either may be such a network.
 */
export function isSameAddress(one = '', other = ''): boolean {
  if (one === '' || other === '') return false
  if (one === other || (isLoopback(one) && isLoopback(other))) return true
  const network = networkOf(one)
  return network !== undefined && network === networkOf(other)
}
