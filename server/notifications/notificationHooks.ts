import { notificationGroup as groups } from '../../src/schemas/notificationGroup.ts'
import type { EntityHooks } from '../api/entityHooks.ts'
import { dropMembers, memberGroupHooks } from '../api/memberGroupHooks.ts'
import type { MayCallPrivateTargets } from '../outbound/privateTargets.ts'
import { messagePlaceholders, type Notifier, sendToNotifier } from './notifierRequest.ts'

/**
 * Notifiers (docs/contract/CONTRACT.md#56-notifiers): unless they are told not to, they show with a test message that
 * they work.
 */
export const notificationHooks = (mayCallPrivateTargets: MayCallPrivateTargets): EntityHooks => ({
  // Real servers check nothing but the test message: without it, anything is saved.
  validation: 'contract',
  notFoundError: (id) => `notification id ${id} does not exist`,
  async beforeSave({ skip_check, ...form }, { person }) {
    if (skip_check) return
    // The form is complete, so it has every field of a notifier.
    await sendToNotifier(
      form as unknown as Notifier,
      messagePlaceholders('a test message'),
      mayCallPrivateTargets({ user_id: person?.id ?? 0 }),
    )
  },
  afterDelete: (ids, { store }) => dropMembers(store, groups, 'notifications', ids),
})

export const notificationGroupHooks = memberGroupHooks('notifications', 'have invalid notification id')
