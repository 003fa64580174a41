import { spawnSync } from 'node:child_process'

/**
 * Whether tests may make a network and mounts of their own (`unshare`): Linux does, unless a container or a setting of
 * the kernel forbids it to users.
 */
export const hasNamespaces =
  process.platform === 'linux' &&
  spawnSync('unshare', ['--map-root-user', '--mount', '--net', 'ip', 'link', 'set', 'lo', 'up']).status === 0
