/**
 * An expression that cannot be read. `message` is what real servers answer
 * (docs/contract/CONTRACT.md#8-cron-expressions); `key` and `args` name the text that tells a person the same.
 */
export class CronError extends Error {
  readonly key: string
  readonly args: Readonly<Record<string, string | number>>

  constructor(message: string, reason: string, args: Readonly<Record<string, string | number>> = {}) {
    super(message)
    this.key = `validation.cron_${reason}`
    this.args = args
  }
}
