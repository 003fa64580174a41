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

const KiB = 1024

/**
 * How many bytes of a request's body the embedded server reads (docs/decisions/limits.md). What a form may hold has to
 * fit, in any script: a character takes up to three bytes.
 */
export const bodyLimits = {
  /** Calls without a body, and the sign-in, which anybody can send. */
  small: 4 * KiB,
  /** The reply of a passkey: its id alone may have 1 KiB, and stands in it twice. */
  passkey: 16 * KiB,
  /** Forms, and lists of ids. */
  form: 256 * KiB,
  /** Forms with texts that people write or paste, or with several lists of ids. */
  largeForm: 1024 * KiB,
  /** The settings of the site with their custom code. */
  customCode: 4 * 1024 * KiB,
  /** A message of the Model Context Protocol: the content of a file may be in it (docs/contract/MCP.md#2-order-of-the-checks). */
  mcp: 8 * 1024 * KiB,
  /** What a configuration file changes, with the values from before: as long as a file may be, four times. */
  configuration: 16 * 1024 * KiB,
  /** One part of a file that is imported. */
  importPart: 1024 * KiB,
} as const
