/**
 * Starts to measure what this process takes of the processor, which does not depend on what else the machine does.
 * @returns the milliseconds since then
 */
export function measureProcessorTime(): () => number {
  const began = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(began)
    return (user + system) / 1000
  }
}
