import { ddns } from './ddns.ts'
import type { Entity } from './entity.ts'
import { notification } from './notification.ts'
import { notificationGroup } from './notificationGroup.ts'
import { server } from './server.ts'
import { serverGroup } from './serverGroup.ts'

/** Every entity by its name. A new one is one line here. */
export const entities = {
  server,
  notification,
  ddns,
  'server-group': serverGroup,
  'notification-group': notificationGroup,
} as const satisfies Record<string, Entity>

export type EntityName = keyof typeof entities

/** The entity of that name, or `undefined`. */
export const entityNamed = (name: string): Entity | undefined => (entities as Record<string, Entity>)[name]
