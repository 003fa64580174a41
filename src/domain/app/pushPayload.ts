/** A message to a device, which the server encrypts and the service worker shows. In the language of the site. */
export interface PushPayload {
  title: string
  /** '' where the title says it all. */
  body: string
  /** Where a click leads: a path of this server. */
  link: string
  /** A message replaces the one with the same tag; '' replaces none. */
  tag: string
  /** When it was written, in milliseconds since 1970. */
  at: number
  /** The button by which whoever gets it says that they are on it. */
  acknowledge?: {
    /** Where it is said, by POST: a path of this server, which is the permission as well. */
    path: string
    label: string
    /** What is shown afterwards, by the state of the incident. */
    states: Readonly<Record<string, string>>
    /** What is shown when it could not be said. */
    failed: string
  }
}

/** @returns `undefined` for what is no payload of ours */
export function readPushPayload(text: string): PushPayload | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isPayload(value) ? value : undefined
  } catch {
    return undefined
  }
}

const isPayload = (value: unknown): value is PushPayload =>
  typeof value === 'object' && value !== null && 'title' in value && typeof value.title === 'string'
