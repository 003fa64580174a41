import { z } from 'zod'
import { defineEntity } from './define/entity.ts'
import { name, refs } from './define/fields.ts'
import { memberGroup } from './define/memberGroup.ts'

/** Notifiers that are told together. */
export const notificationGroup = defineEntity({
  name: 'notification-group',
  form: z.object({ name: name(), notifications: refs('notification').default([]) }),
  api: { row: memberGroup('notifications') },
})
