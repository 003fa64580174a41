/** A maintenance window as it is stored. */
export const window = (more: Record<string, unknown> = {}) => ({
  name: 'Kernel update',
  servers: [],
  repeat: 0,
  starts_at: '2026-12-01T04:00:00Z',
  duration: 60,
  mute_alerts: true,
  ...more,
})

/** Windows called 'Window 1', 'Window 2' and so on. */
export const windows = (count: number) =>
  Array.from({ length: count }, (_, index) => window({ name: `Window ${index + 1}` }))
