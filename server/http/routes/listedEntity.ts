import type { Entity } from '../../../src/schemas/define/entity.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The entity whose list the route is. */
    listedEntity?: Entity
  }
}
