import { createEmitter } from '../events/emitter.ts'

/** What a person has to do before the server takes a call: prove again who they are, or set up a second factor first. */
export type StepUp = 'reauthenticate' | 'setUpSecondFactor'

/** What is asked of the person now. Calls that need the same wait together. */
const open = new Map<StepUp, { done: Promise<boolean>; settle: (isDone: boolean) => void }>()
const changes = createEmitter()

/** Asks the person. Resolves with whether they did it; the dialogs subscribe to it. */
export function requestStepUp(kind: StepUp): Promise<boolean> {
  const existing = open.get(kind)
  if (existing) return existing.done
  const { promise, resolve } = Promise.withResolvers<boolean>()
  open.set(kind, { done: promise, settle: resolve })
  changes.emit()
  return promise
}

/** Whether that is asked of the person now. */
export const isStepUpOpen = (kind: StepUp): boolean => open.has(kind)

/** Calls the listener when that changes. */
export const subscribeToStepUp = changes.subscribe

/** Ends it: what waits is sent again, or fails. */
export function finishStepUp(kind: StepUp, isDone: boolean): void {
  const entry = open.get(kind)
  open.delete(kind)
  changes.emit()
  entry?.settle(isDone)
}
