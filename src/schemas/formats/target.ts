/** Whether a text is an `http://` or `https://` URL. */
export function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text)
}

/** Whether a text is the URL of a WebSocket: `wss://`, `ws://`, or as of a page. */
export function isSocketAddress(text: string): boolean {
  return /^(wss?|https?):\/\//i.test(text) && URL.canParse(text)
}

/** Whether a text is a host name or an IP address, without scheme, port or path: `example.com`, `192.0.2.1`, `2001:db8::1`. */
export function isHostName(text: string): boolean {
  return isAddressV6(text) || isNameOrV4(text)
}

/** Whether a text is a host and a port from 1 to 65535: `example.com:443`, `[2001:db8::1]:22`. */
export function isHostWithPort(text: string): boolean {
  const [, host, port] = /^(.+):(\d{1,5})$/.exec(text) ?? []
  if (!host || Number(port) < 1 || Number(port) > 65535) return false
  const inBrackets = /^\[(.+)\]$/.exec(host)?.[1]
  return inBrackets ? isAddressV6(inBrackets) : isNameOrV4(host)
}

const label = /^[\p{L}\p{N}_]([\p{L}\p{N}_-]*[\p{L}\p{N}_])?$/u

function isNameOrV4(text: string): boolean {
  const labels = text.replace(/\.$/, '').split('.')
  if (text.length > 253 || !labels.every((part) => part.length <= 63 && label.test(part))) return false
  // Digits and dots only must be a complete IPv4 address.
  return /^[\d.]+$/.test(text) ? labels.length === 4 && labels.every((part) => Number(part) <= 255) : true
}

function isAddressV6(text: string): boolean {
  const [address = '', zone] = text.split('%')
  return address.includes(':') && zone !== '' && URL.canParse(`http://[${address}]/`)
}
