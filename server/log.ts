/** Messages for the operator: short sentences, never a secret. */
export interface Log {
  info(text: string): void
  warn(text: string): void
  /** @param cause printed below the text with its stack; for unexpected errors only */
  error(text: string, cause?: unknown): void
}

/** Information goes to standard output, the rest to standard error. */
export const consoleLog: Log = {
  info: (text) => console.info(text),
  warn: (text) => console.warn(`Warning: ${text}`),
  error: (text, cause) => console.error(...(cause === undefined ? [text] : [text, cause])),
}
