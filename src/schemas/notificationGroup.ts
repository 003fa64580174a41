import { z } from 'zod'
import { defineEntity } from './entity.ts'
import { name, refs } from './fields.ts'
import { memberGroup } from './memberGroup.ts'

/** Notifiers that are told together. */
export const notificationGroup = defineEntity({
  name: 'notification-group',
  form: z.object({ name: name(), notifications: refs('notification').default([]) }),
  api: { row: memberGroup('notifications') },
})
