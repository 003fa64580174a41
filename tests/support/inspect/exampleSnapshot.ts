const process = { ppid: 1, state: 'S', nice: 0, started_at: 1_795_766_400 }

/** What a machine with a full disk and a busy program says, as `GET wheelhouse/alarms/:id/snapshot` has it. */
export const exampleSnapshot = {
  server_id: 1,
  at: '2026-11-20T10:00:03Z',
  processes: {
    items: [
      { ...process, pid: 40, user: 'ann', command: 'yes', cpu: 99.3, memory: 1_000_000 },
      { ...process, pid: 41, user: 'db', command: 'postgres: writer', cpu: 1.2, memory: 3 * 1024 ** 3 },
    ],
  },
  disks: {
    items: [
      { kind: 'filesystem', name: '/boot', device: '/dev/sda1', size: 1000, used: 100, free: 900 },
      { kind: 'filesystem', name: '/', device: '/dev/sda2', size: 1000, used: 970, free: 30 },
      { kind: 'raid', name: 'md0', type: 'md', state: 'active raid1 [U_]', is_degraded: true },
    ],
  },
  units: { items: [{ name: 'backup.service', description: 'Nightly', state: 'failed', sub_state: 'failed' }] },
  logs: {
    items: [],
    reason: 'journalctl is not installed on this machine.',
    cause: 'no_program',
    detail: 'journalctl',
  },
}
