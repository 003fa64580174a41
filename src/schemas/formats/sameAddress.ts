const isLoopback = (address: string) => address === '::1' || /^127(\.\d{1,3}){3}$/.test(address)

/** Whether two IP addresses belong to the same client. All loopback addresses do, because `localhost` may be any. */
export const isSameAddress = (one: string | undefined, other: string | undefined): boolean =>
  Boolean(one && other) && (one === other || (isLoopback(one ?? '') && isLoopback(other ?? '')))
