/** Servers that run in this process, each after what it runs on; tests/support/setup/closeServers.ts closes them. */
export const openServers = new Set<{ close(): PromiseLike<unknown> }>()
