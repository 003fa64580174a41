// Loaded into a program that runForeground starts: asks it to end when the process that started it is gone.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
process.channel?.unref()
