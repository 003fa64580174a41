/** The time in RFC 3339, UTC, with up to nine digits of a second: real servers write nanoseconds, and clients sort by it. */
export function timestamp(at = performance.timeOrigin + performance.now()): string {
  const whole = Math.floor(at)
  const nanoseconds = Math.floor((at - whole) * 1e6)
  const fraction = String((whole % 1000) * 1e6 + nanoseconds)
    .padStart(9, '0')
    .replace(/0+$/, '')
  return `${new Date(whole).toISOString().slice(0, 19)}${fraction && `.${fraction}`}Z`
}
