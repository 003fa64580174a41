/** How long the texts and lists of a form may be. Forms, refusals of the server and `openapi.json` say the same. */
export const limits = {
  /** Characters of a name. */
  name: 128,
  /** Characters of a short text: a schedule, a provider, the id of an account. */
  shortText: 256,
  /** Characters of a host name with its port. */
  host: 261,
  /** Characters of a key or token. */
  secret: 4_096,
  /** Characters of a web address. */
  url: 8_192,
  /** Characters of headers with their values; servers refuse longer ones. */
  headers: 16_384,
  /** Characters of a note, a command, or a list in one text. */
  note: 65_536,
  /** Characters of what is sent as the body of a request, of custom code, and of a value that is JSON. */
  body: 262_144,
  /** Entries of a list of ids. */
  ids: 10_000,
  /** Entries of a list of host names. */
  hosts: 200,
} as const
