/** What the server tells its operator: short lines for people, never a secret. */
export interface Log {
  info(text: string): void
  warn(text: string): void
  /** @param cause printed below the text, with its stack: only for what nobody expected */
  error(text: string, cause?: unknown): void
}

/** Information goes to standard output, the rest to standard error. */
export const consoleLog: Log = {
  info: (text) => console.info(text),
  warn: (text) => console.warn(`Warning: ${text}`),
  error: (text, cause) => console.error(...(cause === undefined ? [text] : [text, cause])),
}
