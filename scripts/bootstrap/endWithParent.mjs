// Loaded into a program that runForeground starts: asks it to end when the process that started it is gone. Forked
// helpers inherit this line of the command too, and must not: the variable is for the first process alone.

/** Whether a process of ours started this one, and looks after it. */
export const isLaunched = Number(process.env.WHEELHOUSE_LAUNCHER) === process.ppid
if (isLaunched) {
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  process.channel?.unref()
}
delete process.env.WHEELHOUSE_LAUNCHER
