/** Messages for the operator: short sentences, never a secret. */
export interface Log {
  info(text: string): void
  warn(text: string): void
  /** @param cause printed below the text with its stack; for unexpected errors only */
  error(text: string, cause?: unknown): void
}

/**
 * Text with what cannot be seen as `\u{1b}`: control characters, which a terminal would obey, line ends, and characters
 * that turn the direction of writing. For names and other text that people or machines chose.
 */
export const escapeUnseen = (text: string) =>
  text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)

/** Messages keep their line ends. */
const printable = (text: string) => text.split('\n').map(escapeUnseen).join('\n')

/** Information goes to the standard output of the console, the rest to its standard error. */
export const logOn = (output: Pick<Console, 'info' | 'warn' | 'error'>): Log => ({
  info: (text) => output.info(printable(text)),
  warn: (text) => output.warn(`Warning: ${printable(text)}`),
  error: (text, cause) => output.error(...[printable(text), ...(cause === undefined ? [] : [cause])]),
})

export const consoleLog = logOn(console)

/**
 * A start that cannot succeed. The message is a sentence or two for the operator: what is wrong and what to do. It is
 * printed without a stack.
 */
export class StartError extends Error {}
