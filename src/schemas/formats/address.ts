const isLoopback = (address: string) => address === '::1' || /^127(\.\d{1,3}){3}$/.test(address)

/** Whether two addresses are one place: a browser takes either loopback address for `localhost`. */
export const isSamePlace = (one: string | undefined, other: string | undefined): boolean =>
  Boolean(one && other) && (one === other || (isLoopback(one ?? '') && isLoopback(other ?? '')))
