import { notification as entity } from '../../src/schemas/notification.ts'
import { notificationGroup as groups } from '../../src/schemas/notificationGroup.ts'
import type { Behaviour } from '../api/entityHooks.ts'
import { dropMembers, memberGroup } from '../api/memberGroupHooks.ts'
import type { MayCallPrivateTargets } from '../outbound/privateTargets.ts'
import { messagePlaceholders, type Notifier, sendToNotifier } from './notifierRequest.ts'

/**
 * Notifiers (docs/contract/CONTRACT.md#56-notifiers): unless they are told not to, they show with a test message that
 * they work.
 */
export const notificationBehaviour = (mayCallPrivateTargets: MayCallPrivateTargets): Behaviour => ({
  missing: (id) => `notification id ${id} does not exist`,
  async prepare({ skip_check, ...form }, { person }) {
    if (skip_check) return
    // The form is complete, so it has every field of a notifier.
    await sendToNotifier(
      form as unknown as Notifier,
      messagePlaceholders('a test message'),
      mayCallPrivateTargets(person?.id ?? 0),
    )
  },
  // Real servers look at nothing else: without a test, anything is saved.
  check: (form) => form,
  removed: (ids, { store }) => dropMembers(store, groups, 'notifications', ids),
})

export const notificationGroup: Behaviour = memberGroup({
  key: 'notifications',
  of: entity,
  unknown: 'have invalid notification id',
})
