// Loaded into a program that runForeground starts: asks it to end when the process that started it is gone. Forked
// helpers inherit this line of the command too, and must not: the variable is for the first process alone.
if (Number(process.env.WHEELHOUSE_LAUNCHER) === process.ppid) {
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  process.channel?.unref()
}
delete process.env.WHEELHOUSE_LAUNCHER
