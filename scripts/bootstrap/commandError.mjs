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

/** npm's shell dies of a SIGTERM without passing it on; that this process gets another parent is the only sign. */
const launcher = process.ppid
const launcherCheck = 500

/** Takes the end of npm for a SIGTERM, whatever this process is at: installing, waiting, building, serving. */
function endWithNpm() {
  if (!process.env.npm_lifecycle_event) return
  const watch = setInterval(() => {
    if (process.ppid === launcher) return
    clearInterval(watch)
    process.kill(process.pid, 'SIGTERM')
  }, launcherCheck)
  watch.unref()
}

/**
 * Runs a command's main function and turns its end into the exit code of the process.
 *
 * @param {() => Promise<number>} main resolves to the exit code
 */
export async function runMain(main) {
  endWithNpm()
  try {
    process.exitCode = await main()
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    console.error(error.message)
    process.exitCode = error.exitCode
  }
}
