import { createEmitter } from '../events/emitter.ts'
import { isOtherUser } from './currentUser.ts'
import { onTabMessage, postToTabs, type StepUp, type TabMessage } from './tabMessages.ts'

/** What the person has to do now. Calls that need the same wait together. */
const open = new Map<StepUp, { done: Promise<boolean>; settle: (isDone: boolean) => void }>()
const changes = createEmitter()

/**
 * Asks the person. Resolves with whether they did it, here or in another tab of the same session; the dialogs subscribe
 * to it.
 */
export function requestStepUp(kind: StepUp): Promise<boolean> {
  const existing = open.get(kind)
  if (existing) return existing.done
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const stopListening = onTabMessage((message) => {
    if (settles(message, kind)) finishStepUp(kind, true)
  })
  open.set(kind, {
    done: promise,
    settle: (isDone) => {
      stopListening()
      resolve(isDone)
    },
  })
  changes.emit()
  return promise
}

/** A sign-in is a proof too. */
function settles(message: TabMessage, kind: StepUp): boolean {
  if (message.type === 'steppedUp') return message.kind === kind
  return message.type === 'opened' && kind === 'reauthenticate' && !isOtherUser(message.person)
}

/** Whether the person is asked for it now. */
export const isStepUpOpen = (kind: StepUp): boolean => open.has(kind)

/** Calls the listener when that changes. */
export const subscribeToStepUp = changes.subscribe

/** Ends it in all other tabs, after the server has confirmed that the person did it. */
export const announceStepUp = (kind: StepUp) => postToTabs({ type: 'steppedUp', kind })

/** Ends it in this tab: what waits is sent again, or fails. */
export function finishStepUp(kind: StepUp, isDone: boolean): void {
  const entry = open.get(kind)
  open.delete(kind)
  changes.emit()
  entry?.settle(isDone)
}
