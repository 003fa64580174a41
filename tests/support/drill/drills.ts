/** A drill as it is stored. */
export const drillRecord = (more: Record<string, unknown> = {}) => ({
  name: 'Kernel update',
  servers: [],
  repeat: 0,
  starts_at: '2026-12-01T04:00:00Z',
  duration: 60,
  mute_alerts: true,
  ...more,
})

/** Drills called 'Drill 1', 'Drill 2' and so on. */
export const drillRecords = (count: number) =>
  Array.from({ length: count }, (_, index) => drillRecord({ name: `Drill ${index + 1}` }))
