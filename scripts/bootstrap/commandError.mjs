/** A failure that one sentence explains: shown without a stack, and the command ends with `exitCode`. */
export class CommandError extends Error {
  /**
   * @param {string} sentence what failed and what to do about it
   * @param {number} [exitCode]
   */
  constructor(sentence, exitCode = 1) {
    super(sentence)
    this.exitCode = exitCode
  }
}

/**
 * Runs a command's main function and turns its end into the exit code of the process.
 *
 * @param {() => Promise<number>} main resolves to the exit code
 */
export async function runMain(main) {
  try {
    process.exitCode = await main()
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    console.error(error.message)
    process.exitCode = error.exitCode
  }
}
