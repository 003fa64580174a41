import type { FastifyInstance } from 'fastify'

/** Servers that run in this process; tests/support/setup/closeServers.ts closes them. */
export const openServers = new Set<FastifyInstance>()
