/** A device that gets messages by Web Push, as its browser tells it. */
export interface PushDevice {
  /** Where its push service takes messages for it; whoever knows it and the keys can send some. */
  endpoint: string
  /** The public key of the device: a point on P-256, uncompressed, in base64url. */
  p256dh: string
  /** The secret that it shares with its senders: 16 bytes in base64url. */
  auth: string
}

const [ownScheme, scheme] = ['webpush:', 'https:']

/** Whether a notifier's address is a device: `webpush://…`. */
export const isPushUrl = (url: string): boolean => url.slice(0, ownScheme.length).toLowerCase() === ownScheme

/** A device as the address of a notifier: that of its push service, with the keys behind it. */
export const pushUrlOf = ({ endpoint, p256dh, auth }: PushDevice): string =>
  `${ownScheme}${endpoint.slice(scheme.length)}#p256dh=${p256dh}&auth=${auth}`

/**
 * Reads `webpush://push.example.org/send/token?of=this#p256dh=…&auth=…`.
 * @returns `undefined` when a part is missing or invalid
 */
export function readPushUrl(text: string): PushDevice | undefined {
  if (!isPushUrl(text)) return undefined
  const [, address = '', keys = ''] = /^([^#]*)#(.*)$/.exec(text.slice(ownScheme.length)) ?? []
  const endpoint = scheme + address
  if (!/^\/\/[^/]/.test(address) || !URL.canParse(endpoint)) return undefined
  const { username, password } = new URL(endpoint)
  const [, p256dh, auth] = /^p256dh=(B[\w-]{86})&auth=([\w-]{22})$/.exec(keys) ?? []
  return username || password || !p256dh || !auth ? undefined : { endpoint, p256dh, auth }
}
