/** Real servers write more than milliseconds, and clients sort by it: the finest clock we have, in their form. */
export function timestamp(at = performance.timeOrigin + performance.now()): string {
  const whole = Math.floor(at)
  const beyond = Math.floor((at - whole) * 1e6)
  const fraction = String((whole % 1000) * 1e6 + beyond)
    .padStart(9, '0')
    .replace(/0+$/, '')
  return `${new Date(whole).toISOString().slice(0, 19)}${fraction && `.${fraction}`}Z`
}
